/* Mutations that keep the frame of a FITS file: blocks of 2880 bytes, cards of 80. Bytes inserted
 * anywhere else would shift all that follows, and readers would stop at the first card.
 *
 *     header | card card ... END blanks |   data, filled up to whole blocks   | header | ...
 *
 * A third of the mutations changes the value of a card, a third the cards themselves, the rest
 * data, whole blocks, or (rarely) any byte. */
#include "support.h"

#include "fits_cards.h"
#include <stdio.h>
#include <string.h>

enum { CARD = 80, BLOCK = 2880, VALUE = 10, MAX_HEADERS = 8 };

typedef struct header {
    size_t start, cards; /* byte of the first card; number of cards before END */
    size_t end;          /* first byte of the data */
} header;

typedef struct file {
    uint8_t *bytes;
    size_t size, limit;
    header headers[MAX_HEADERS];
    size_t count;
    uint64_t state;
} file;

/* SplitMix64, as everywhere in the tests. */
static uint64_t draw(file *f, uint64_t below)
{
    uint64_t x = f->state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (x ^ (x >> 31)) % below;
}

/* --- Headers ---------------------------------------------------------------------------------- */

static int begins_header(const file *f, size_t at)
{
    return !memcmp(f->bytes + at, "SIMPLE  =", 9) || !memcmp(f->bytes + at, "XTENSION=", 9);
}

static void find_headers(file *f)
{
    size_t at = 0;
    f->count = 0;
    while (at + BLOCK <= f->size && f->count < MAX_HEADERS) {
        header *h = &f->headers[f->count];
        if (!begins_header(f, at)) {
            at += BLOCK;
            continue;
        }
        h->start = at;
        for (h->cards = 0; at + CARD <= f->size; h->cards++, at += CARD)
            if (!memcmp(f->bytes + at, "END     ", 8)) break;
        if (at + CARD > f->size) return;
        at = h->end = (at + BLOCK) / BLOCK * BLOCK;
        if (h->end > f->size) return;
        f->count++;
    }
}

static uint8_t *any_card(file *f, header **of)
{
    header *h = &f->headers[draw(f, f->count)];
    if (of) *of = h;
    return f->bytes + h->start + CARD * draw(f, h->cards + 1);
}

/* --- Values of cards -------------------------------------------------------------------------- */

static void put_number(file *f, uint8_t *card)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "-1",
                                          "2",
                                          "3",
                                          "4",
                                          "8",
                                          "12",
                                          "24",
                                          "48",
                                          "192",
                                          "255",
                                          "768",
                                          "999",
                                          "1000",
                                          "1024",
                                          "65536",
                                          "2147483647",
                                          "2147483648",
                                          "-2147483649",
                                          "4294967296",
                                          "1E18",
                                          "1.5",
                                          "-1.6375E30",
                                          "1D308",
                                          "NaN",
                                          "T",
                                          "1152921504606846976",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "9223372036854775808",
                                          "4611686018427387904"};
    char text[CARD];
    const char *number = numbers[draw(f, sizeof numbers / sizeof *numbers)];
    int length = snprintf(text, sizeof text, "= %20s", number);
    memcpy(card + VALUE - 2, text, (size_t)length);
}

/* One more or less than what stands there: sizes that nearly fit. */
static void step_number(file *f, uint8_t *card)
{
    char text[CARD - VALUE + 1];
    long long value;
    memcpy(text, card + VALUE, CARD - VALUE);
    text[CARD - VALUE] = '\0';
    if (sscanf(text, "%lld", &value) != 1 || value > 1000000000 || value < -1000000000) return;
    value += (long long)draw(f, 5) - 2;
    memcpy(card + VALUE, text, (size_t)snprintf(text, sizeof text, "%20lld", value));
}

/* libFuzzer's own mutations, its dictionary among them, inside a value. */
static void mutate_value(uint8_t *card)
{
    uint8_t *value = card + VALUE;
    size_t used = CARD - VALUE;
    while (used > 1 && value[used - 1] == ' ') used--;
    size_t now = LLVMFuzzerMutate(value, used, CARD - VALUE);
    if (now < used) memset(value + now, ' ', used - now);
}

static void change_value(file *f)
{
    uint8_t *card = any_card(f, NULL);
    switch (draw(f, 4)) {
    case 0:
        put_number(f, card);
        break;
    case 1:
        step_number(f, card);
        break;
    default:
        mutate_value(card);
        break;
    }
}

/* --- Cards ------------------------------------------------------------------------------------ */

static void put_known_card(file *f, uint8_t *card)
{
    const char *known = fits_cards[draw(f, sizeof fits_cards / sizeof *fits_cards)];
    memset(card, ' ', CARD);
    memcpy(card, known, strlen(known));
    if (known[0] == 'T' && card[5] == '1' && draw(f, 2)) card[5] = (uint8_t)('1' + draw(f, 9));
}

/* Shifts the cards from here on; a header without room gets another block. */
static void insert_card(file *f, header *h, uint8_t *card)
{
    size_t at = (size_t)(card - f->bytes), used = h->start + CARD * (h->cards + 1);
    if (used + CARD > h->end) {
        if (f->size + BLOCK > f->limit) return;
        memmove(f->bytes + h->end + BLOCK, f->bytes + h->end, f->size - h->end);
        memset(f->bytes + h->end, ' ', BLOCK);
        f->size += BLOCK;
    }
    memmove(card + CARD, card, used - at);
}

static void delete_card(const file *f, const header *h, uint8_t *card)
{
    size_t at = (size_t)(card - f->bytes);
    memmove(card, card + CARD, h->end - at - CARD);
    memset(f->bytes + h->end - CARD, ' ', CARD);
}

static void swap_cards(uint8_t *one, uint8_t *two)
{
    uint8_t copy[CARD];
    memcpy(copy, one, CARD);
    memcpy(one, two, CARD);
    memcpy(two, copy, CARD);
}

static void change_cards(file *f)
{
    header *h;
    uint8_t *card = any_card(f, &h);
    switch (draw(f, 6)) {
    case 0:
        insert_card(f, h, card); /* the card stands twice */
        break;
    case 1:
        delete_card(f, h, card);
        break;
    case 2:
        if (h->cards > 1) swap_cards(card, f->bytes + h->start + CARD * draw(f, h->cards));
        break;
    case 3:
        put_known_card(f, card);
        break;
    default:
        insert_card(f, h, card);
        put_known_card(f, card);
        break;
    }
}

/* --- Data and blocks -------------------------------------------------------------------------- */

static void change_data(file *f)
{
    size_t first = f->headers[draw(f, f->count)].end;
    if (first >= f->size) return;
    size_t length = f->size - first < 256 ? f->size - first : 256;
    uint8_t *at = f->bytes + first + (draw(f, 4) ? 0 : draw(f, f->size - first - length + 1));
    if (draw(f, 2)) {
        uint8_t *byte = at + draw(f, length);
        *byte = (uint8_t)(draw(f, 3) ? draw(f, 256) : *byte + 1);
        return;
    }
    size_t now = LLVMFuzzerMutate(at, length, length);
    if (now < length) memset(at + now, 0, length - now);
}

static void change_blocks(file *f)
{
    size_t blocks = f->size / BLOCK, from = BLOCK * draw(f, blocks), to = BLOCK * draw(f, blocks);
    switch (draw(f, 4)) {
    case 0: /* cut */
        f->size = draw(f, 2) ? to + BLOCK : 1 + draw(f, f->size);
        break;
    case 1: /* copy over another one */
        if (from != to) memcpy(f->bytes + to, f->bytes + from, BLOCK);
        break;
    case 2: /* the last byte: it chooses what is read */
        f->bytes[f->size - 1] = (uint8_t)draw(f, 8);
        break;
    default: /* insert a copy */
        if (f->size + BLOCK > f->limit) break;
        memmove(f->bytes + to + BLOCK, f->bytes + to, f->size - to);
        memmove(f->bytes + to, f->bytes + (from >= to ? from + BLOCK : from), BLOCK);
        f->size += BLOCK;
        break;
    }
}

static void mutate_once(file *f)
{
    find_headers(f);
    uint64_t kind = draw(f, 32);
    if (f->count == 0 || f->size < BLOCK || kind == 0)
        f->size = LLVMFuzzerMutate(f->bytes, f->size, f->limit);
    else if (kind < 11)
        change_value(f);
    else if (kind < 21)
        change_cards(f);
    else if (kind < 29)
        change_data(f);
    else
        change_blocks(f);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t limit, unsigned int seed)
{
    file f = {.bytes = data, .size = size, .limit = limit, .state = seed};
    for (uint64_t n = 1 + draw(&f, 3); n > 0; n--) mutate_once(&f);
    return f.size;
}

/* Blocks of the one, then blocks of the other: headers meet foreign data, files get more HDUs. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
                                 size_t two_size, uint8_t *out, size_t limit, unsigned int seed)
{
    file f = {.state = seed};
    size_t head = BLOCK * draw(&f, one_size / BLOCK + 1);
    size_t skip = BLOCK * draw(&f, two_size / BLOCK + 1);
    size_t tail = two_size - skip;
    if (head > limit) head = limit;
    if (tail > limit - head) tail = limit - head;
    memcpy(out, one, head);
    memcpy(out + head, two + skip, tail);
    return head + tail;
}
