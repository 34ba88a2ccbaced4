#!/usr/bin/env bash
# Pictures of pages of the site in headless Chromium, as wide as a laptop and as a telephone.
#   tools/docs_screenshots.sh SITE FOLDER [PAGE ...]      PAGE without .html, such as install
set -euo pipefail

site=$(realpath "$1")
folder=$2
shift 2
[ $# -gt 0 ] || set -- index gallery/index howto/index quickstart/cosmology api/python \
    api/generated/armilla.SHT api/c/sht api/command-options performance
mkdir -p "$folder"

# Chromium does not make windows narrower than 500 pixels: a frame of 400 has the page then.
frame() {
    cat <<END
<body style="margin:0">
<iframe src="file://$site/$1.html" style="border:0;width:400px;height:1800px"></iframe>
END
}

shoot() { # address, width, height, file
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --allow-file-access-from-files --virtual-time-budget=8000 \
        --window-size="$2,$3" --screenshot="$4" "$1" >/dev/null 2>&1
    [ -s "$4" ] || { echo "docs-screenshots: no picture of $1" >&2; exit 1; }
}

for page in "$@"; do
    [ -f "$site/$page.html" ] || { echo "docs-screenshots: no page $page" >&2; exit 1; }
    name=${page//\//-}
    shoot "file://$site/$page.html" 1280 1800 "$folder/$name-1280.png"
    frame "$page" >"$folder/frame.html"
    shoot "file://$(realpath "$folder")/frame.html" 500 1800 "$folder/$name-400.png"
done
rm -f "$folder/frame.html"
ls "$folder"
