/* The interpreter of PTX against what NVIDIA's manual says, on kernels of a few lines: values of
 * operations worked out by hand, divergence, barriers, products of matrices by their definition,
 * and everything that is an error. */
#include "machine.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace ptx;

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* --- Scenes ----------------------------------------------------------------------------------- */

static const uint64_t there = 0x10000; /* address of the array that kernels write */

struct scene {
    memory global;
    launch_shape shape;

    explicit scene(size_t bytes, unsigned threads = 32)
    {
        const std::vector<uint8_t> zeros(bytes, 0);
        global.add(there, zeros.data(), bytes);
        shape.block.x = threads;
    }
    /* Runs a kernel of such statements. %rd1 has the array's address, %r1 and %rd2 this thread's
     * number. */
    void run(const std::string &body, const std::string &before = "")
    {
        const std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n" + before +
                                 ".visible .entry test(.param .u64 test_param_0)\n{\n"
                                 ".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>;\n"
                                 ".reg .f64 %fd<99>; .reg .f32 %f<99>;\n"
                                 "ld.param.u64 %rd1, [test_param_0];\n"
                                 "mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd2, %r1;\n" +
                                 body + "\nret;\n}\n";
        std::vector<uint8_t> arguments(8);
        std::memcpy(arguments.data(), &there, 8);
        run_launch(prepare(read_module(text), "test"), global, shape, arguments);
    }
    template <typename T> T at(size_t i)
    {
        T value;
        std::memcpy(&value, &global.regions[0].bytes[i * sizeof value], sizeof value);
        return value;
    }
    template <typename T> void set(size_t i, T value)
    {
        std::memcpy(&global.regions[0].bytes[i * sizeof value], &value, sizeof value);
    }
};

/* What the first thread stores of one register, given statements that fill it. */
static uint64_t result(const std::string &body, const std::string &what)
{
    scene s(64, 1);
    s.run(body + "st.global." + what + ";");
    return s.at<uint64_t>(0);
}

static uint64_t bits_of(const std::string &body)
{
    return result(body, "u64 [%rd1], %rd9");
}

static double real_of(const std::string &body)
{
    return as<double>(result(body, "f64 [%rd1], %fd9"));
}

static uint32_t word_of(const std::string &body)
{
    return (uint32_t)result(body, "u32 [%rd1], %r9");
}

/* The fault of a kernel, which must have these words. */
static void expect_fault(const char *words, const std::string &body, unsigned threads = 32,
                         size_t shared_bytes = 0)
{
    scene s(1024, threads);
    s.shape.shared_bytes = shared_bytes;
    try {
        s.run(body, ".extern .shared .align 16 .b8 room[];\n");
    } catch (const fault &what) {
        if (!std::strstr(what.what(), words))
            fprintf(stderr, "in the place of '%s': %s\n", words, what.what()), failures++;
        return;
    }
    fprintf(stderr, "no fault '%s' in:\n%s\n", words, body.c_str());
    failures++;
}

/* --- Operations ------------------------------------------------------------------------------- */

static void integers()
{
    CHECK(word_of("mov.u32 %r2, -7; mov.u32 %r3, 2; div.s32 %r9, %r2, %r3;") == (uint32_t)-3);
    CHECK(word_of("mov.u32 %r2, -7; mov.u32 %r3, 2; rem.s32 %r9, %r2, %r3;") == (uint32_t)-1);
    CHECK(word_of("mov.u32 %r2, -7; shr.s32 %r9, %r2, 40;") == (uint32_t)-1);
    CHECK(word_of("mov.u32 %r2, -7; shr.u32 %r9, %r2, 40;") == 0);
    CHECK(word_of("mov.u32 %r2, 1; shl.b32 %r9, %r2, 32;") == 0);
    CHECK(word_of("mov.u32 %r2, -2; mov.u32 %r3, 3; mul.hi.s32 %r9, %r2, %r3;") == (uint32_t)-1);
    CHECK(word_of("mov.u32 %r2, -2; mov.u32 %r3, 3; mul.hi.u32 %r9, %r2, %r3;") == 2);
    CHECK(bits_of("mov.u32 %r2, -2; mul.wide.s32 %rd9, %r2, 40;") == (uint64_t)-80);
    CHECK(bits_of("mov.u32 %r2, -2; mul.wide.u32 %rd9, %r2, 2;") == 0x1fffffffcu);
    CHECK(bits_of("mov.u32 %r2, -2; cvt.s64.s32 %rd9, %r2;") == (uint64_t)-2);
    CHECK(bits_of("mov.u32 %r2, -2; cvt.u64.u32 %rd9, %r2;") == 0xfffffffeu);
    CHECK(bits_of("mov.u64 %rd3, -2; min.s64 %rd9, %rd3, 1;") == (uint64_t)-2);
    CHECK(word_of("mov.u32 %r2, 5; mov.u32 %r3, -1; bfi.b32 %r9, %r2, %r3, 4, 8;") == 0xfffff05fu);
    CHECK(word_of("mov.u32 %r2, 0x12345678; bfe.u32 %r9, %r2, 8, 12;") == 0x456);
    CHECK(word_of("mov.u32 %r2, 0xf00; bfe.s32 %r9, %r2, 8, 4;") == (uint32_t)-1);
    CHECK(word_of("mov.u32 %r2, 0x12345678; mov.u32 %r3, 0x9abcdef0;"
                  "prmt.b32 %r9, %r2, %r3, 0x7b40;") == 0x9a00f078u);
    CHECK(word_of("mov.u32 %r2, 1; mov.u32 %r3, 2; shf.l.wrap.b32 %r9, %r2, %r3, 33;") == 4);
    CHECK(word_of("mov.u32 %r2, 0xff00; mov.u32 %r3, 0xf0f0; mov.u32 %r4, 0xcccc;"
                  "lop3.b32 %r9, %r2, %r3, %r4, 0x96;") == (0xff00u ^ 0xf0f0u ^ 0xccccu));
    CHECK(bits_of("mov.u32 %r2, 3; mov.u32 %r3, 4; mov.b64 %rd9, {%r2, %r3};") == 0x400000003u);
    CHECK(word_of("mov.u64 %rd3, 0x400000003; mov.b64 {%r8, %r9}, %rd3;") == 4);
    CHECK(bits_of("mov.u64 %rd3, -1; mov.u64 %rd4, 1; add.cc.u64 %rd5, %rd3, %rd4;"
                  "addc.u64 %rd9, 5, 6;") == 12);
    CHECK(word_of("mov.u32 %r2, 1; mov.u32 %r3, 2; sub.cc.u32 %r4, %r2, %r3;"
                  "subc.u32 %r9, %r3, %r2;") == 0);
}

static void reals()
{
    CHECK(real_of("mov.f64 %fd9, 0d3FF8000000000000;") == 1.5);
    CHECK(real_of("mov.f64 %fd1, 0d3FF0000000000001; mov.f64 %fd2, 0d3FEFFFFFFFFFFFFE;"
                  "fma.rn.f64 %fd9, %fd1, %fd2, 0dBFF0000000000000;") ==
          std::fma(1 + 0x1p-52, 1 - 0x1p-52, -1));
    CHECK(real_of("mov.f64 %fd1, 0dBFE0000000000000; cvt.rni.f64.f64 %fd9, %fd1;") == 0);
    CHECK(bits_of("mov.f64 %fd1, 0dC00C000000000000; cvt.rzi.s64.f64 %rd9, %fd1;") == (uint64_t)-3);
    CHECK(bits_of("mov.f64 %fd1, 0dC00C000000000000; cvt.rmi.s64.f64 %rd9, %fd1;") == (uint64_t)-4);
    CHECK(bits_of("mov.f64 %fd1, 0d7FF8000000000000; cvt.rzi.s64.f64 %rd9, %fd1;") == 0);
    CHECK(bits_of("mov.f64 %fd1, 0d7FF0000000000000; cvt.rzi.s64.f64 %rd9, %fd1;") ==
          (uint64_t)INT64_MAX);
    CHECK(real_of("mov.f64 %fd1, 0d7FF8000000000000; min.f64 %fd9, %fd1, 0d3FF0000000000000;") ==
          1);
    CHECK(
        word_of("mov.f64 %fd1, 0d3FF0000010000000; cvt.rn.f32.f64 %f1, %fd1; mov.b32 %r9, %f1;") ==
        0x3f800000);
    CHECK(word_of("mov.f64 %fd1, 0d7FF8000000000000; setp.lt.f64 %p1, %fd1, %fd1;"
                  "setp.ltu.f64 %p2, %fd1, %fd1; selp.u32 %r2, 2, 0, %p1; selp.u32 %r3, 1, 0, %p2;"
                  "add.s32 %r9, %r2, %r3;") == 1);
    CHECK(word_of("setp.eq.s32 %p3, %r1, 0; setp.eq.and.s32 %p1|%p2, %r1, 1, %p3;"
                  "selp.u32 %r9, 1, 2, %p1; @%p2 add.s32 %r9, %r9, 3;") == 5);
}

/* --- Lanes ------------------------------------------------------------------------------------ */

/* Each lane goes round as often as its number, half of them another way. */
static void divergence()
{
    scene s(256);
    s.run("mov.u32 %r2, 0; mov.u32 %r3, 0; and.b32 %r4, %r1, 1; setp.eq.s32 %p2, %r4, 1;\n"
          "loop: setp.ge.u32 %p1, %r2, %r1; @%p1 bra done; add.s32 %r2, %r2, 1;\n"
          "@%p2 bra odd; add.s32 %r3, %r3, 2; bra.uni loop;\n"
          "odd: add.s32 %r3, %r3, 3; bra.uni loop;\n"
          "done: bar.warp.sync -1; shl.b64 %rd3, %rd2, 2; add.s64 %rd4, %rd1, %rd3;"
          "st.global.u32 [%rd4], %r3;");
    for (uint32_t l = 0; l < 32; l++) CHECK(s.at<uint32_t>(l) == l * (l % 2 ? 3 : 2));
}

static void shuffles_and_votes()
{
    scene s(1024);
    const std::string keep = "mad.wide.u32 %rd4, %r1, 4, %rd1; st.global.u32 [%rd4";
    s.run("shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1;"
          "shfl.sync.down.b32 %r3|%p1, %r1, 3, 0x181f, -1;"
          "shfl.sync.up.b32 %r4|%p2, %r1, 3, 0x1800, -1;"
          "shfl.sync.idx.b32 %r5, %r1, 9, 0x181f, -1;"
          "setp.gt.u32 %p3, %r1, 29; vote.sync.ballot.b32 %r6, %p3, -1;" +
          keep + "], %r2;" + keep + "+128], %r3;" + keep + "+256], %r4;" + keep + "+384], %r5;" +
          keep + "+512], %r6;");
    for (uint32_t l = 0; l < 32; l++) { /* 0x18: parts of eight lanes */
        CHECK(s.at<uint32_t>(l) == (l ^ 5));
        CHECK(s.at<uint32_t>(32 + l) == (l % 8 < 5 ? l + 3 : l));
        CHECK(s.at<uint32_t>(64 + l) == (l % 8 < 3 ? l : l - 3));
        CHECK(s.at<uint32_t>(96 + l) == l / 8 * 8 + 1);
        CHECK(s.at<uint32_t>(128 + l) == 0xc0000000u);
    }
}

/* D = A B + C of random matrices whose entries the lanes load from and store to matrices in memory,
 * by the places of the manual, written here row by row. */
static void products(int rows)
{
    scene s(8 * 512);
    double a[16][4], b[4][8], c[16][8];
    const auto fill = [&](double *matrix, int count, int first) {
        for (int i = 0; i < count; i++)
            matrix[i] = (double)((i * 37 + first) % 64 - 31) / 8,
            s.set((size_t)(first + i), matrix[i]);
    };
    fill(a[0], 64, 0), fill(b[0], 32, 64), fill(c[0], 128, 96);
    const std::string place = /* %r2: lane / 4, %r3: lane % 4 */
        "shr.u32 %r2, %r1, 2; and.b32 %r3, %r1, 3;"
        "mad.lo.s32 %r4, %r2, 4, %r3; mul.wide.s32 %rd3, %r4, 8; add.s64 %rd3, %rd3, %rd1;"
        "mad.lo.s32 %r5, %r3, 8, %r2; mul.wide.s32 %rd4, %r5, 8; add.s64 %rd4, %rd4, %rd1;"
        "shl.b32 %r6, %r3, 1; mad.lo.s32 %r6, %r2, 8, %r6; mul.wide.s32 %rd5, %r6, 8;"
        "add.s64 %rd5, %rd5, %rd1;"
        "ld.global.f64 %fd1, [%rd3]; ld.global.f64 %fd2, [%rd3+256]; ld.global.f64 %fd3, "
        "[%rd4+512];"
        "ld.global.v2.f64 {%fd4, %fd5}, [%rd5+768]; ld.global.v2.f64 {%fd6, %fd7}, [%rd5+1280];";
    const std::string types = ".row.col.f64.f64.f64.f64 ";
    s.run(place +
          (rows == 8
               ? "mma.sync.aligned.m8n8k4" + types + "{%fd4,%fd5}, {%fd1}, {%fd3}, {%fd4,%fd5};"
               : "mma.sync.aligned.m16n8k4" + types +
                     "{%fd4,%fd5,%fd6,%fd7}, {%fd1,%fd2}, {%fd3}, {%fd4,%fd5,%fd6,%fd7};") +
          "st.global.v2.f64 [%rd5+768], {%fd4, %fd5}; st.global.v2.f64 [%rd5+1280], {%fd6, %fd7};");
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            double sum = c[i][j];
            for (int k = 0; k < 4 && i < rows; k++) sum += a[i][k] * b[k][j];
            CHECK(s.at<double>((size_t)(96 + 8 * i + j)) == sum); /* exact: eighths */
        }
}

/* --- Blocks and functions --------------------------------------------------------------------- */

static void barriers()
{
    scene s(1024, 96);
    s.shape.shared_bytes = 384;
    s.run("mov.u32 %r2, room; mad.lo.s32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], %r1; bar.sync 0;"
          "mov.u32 %r4, 95; sub.s32 %r4, %r4, %r1; mad.lo.s32 %r5, %r4, 4, %r2;"
          "ld.shared.u32 %r6, [%r5]; mad.wide.u32 %rd4, %r1, 4, %rd1; st.global.u32 [%rd4], %r6;",
          ".extern .shared .align 16 .b8 room[];\n");
    for (uint32_t t = 0; t < 96; t++) CHECK(s.at<uint32_t>(t) == 95 - t);
}

/* A table of numbers, a function with a result, memory of its own, a jump by a table. */
static void functions()
{
    scene s(256);
    s.run("{ .param .b32 p0; st.param.b32 [p0+0], %r1; .param .b32 back;\n"
          "call.uni (back), twice, (p0); ld.param.b32 %r2, [back+0]; }\n"
          "and.b32 %r3, %r1, 1; brx.idx %r3, places;\nplaces: .branchtargets even, odd;\n"
          "odd: add.s32 %r2, %r2, 1000;\n"
          "even: mad.wide.u32 %rd4, %r1, 4, %rd1; st.global.u32 [%rd4], %r2;",
          ".global .align 4 .b8 numbers[8] = {1, 0, 0, 0, 7, 0, 0, 0};\n"
          ".func (.param .b32 result) twice(.param .b32 x)\n{\n.local .align 8 .b8 own[16];\n"
          ".reg .b32 %r<9>; .reg .b64 %rd<9>;\nld.param.u32 %r1, [x]; mov.u64 %rd1, own;\n"
          "cvta.local.u64 %rd2, %rd1; st.u32 [%rd2+4], %r1; ld.local.u32 %r2, [%rd1+4];\n"
          "ld.global.u32 %r3, [numbers+4]; mad.lo.s32 %r4, %r2, 2, %r3;\n"
          "st.param.b32 [result+0], %r4; ret;\n}\n");
    for (uint32_t l = 0; l < 32; l++) CHECK(s.at<uint32_t>(l) == 2 * l + 7 + l % 2 * 1000);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void errors_of_memory()
{
    expect_fault("no multiple of 16", "ld.global.v2.f64 {%fd1, %fd2}, [%rd1+8];");
    expect_fault("no 8 bytes", "ld.global.f64 %fd1, [%rd1+1024];");
    expect_fault("no 8 bytes", "st.global.u64 [%rd1+-8], %rd1;");
    expect_fault("no 4 bytes", "mov.u32 %r2, room; ld.shared.u32 %r3, [%r2+64];", 32, 64);
    expect_fault("nobody has written", "mov.u32 %r2, room; ld.shared.u32 %r3, [%r2+60];", 32, 64);
    expect_fault("as if nobody wrote it",
                 "ld.global.nc.u32 %r2, [%rd1]; st.global.u32 [%rd1], %r1;");
    expect_fault("has no value", "add.s32 %r2, %r3, 1;");
    expect_fault("has no value", "mov.u32 %r2, %r3; add.s32 %r4, %r2, 1;");
    expect_fault("has no value",
                 "setp.gt.u32 %p1, %r1, 3; @%p1 mov.u32 %r2, 1; add.s32 %r3, %r2, 1;");
    expect_fault("no 8 bytes", "ld.param.u64 %rd3, [test_param_0+8];");
}

static void errors_of_order()
{
    const std::string write = "mov.u32 %r2, room; mad.lo.s32 %r3, %r1, 4, %r2;"
                              "st.shared.u32 [%r3], %r1;";
    expect_fault("has written since", write + "ld.shared.u32 %r4, [%r2];", 64, 256);
    expect_fault("has written since", write + "bar.warp.sync -1; ld.shared.u32 %r4, [%r2];", 64,
                 256);
    expect_fault("has read since",
                 write + "bar.sync 0; ld.shared.u32 %r4, [%r2]; st.shared.u32 [%r3], %r4;", 64,
                 256);
    expect_fault("nobody else comes",
                 "setp.gt.u32 %p1, %r1, 31; @%p1 bra end; bar.sync 0; end:", 64);
    expect_fault(
        "waits for lane 4",
        "setp.eq.s32 %p1, %r1, 4; @%p1 bra end; shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; end:");
    expect_fault("waits for lane 20", "bar.warp.sync -1;", 20);
    expect_fault("not in its own mask", "bar.warp.sync 1;");
    expect_fault("not in the mask", "setp.gt.u32 %p1, %r1, 1; @%p1 bra end;"
                                    "shfl.sync.idx.b32 %r2, %r1, 2, 31, 3; end:");
    expect_fault("a trap", "trap;");
    expect_fault("is not known", "mystery.u32 %r2, %r3;");
}

int main()
{
    integers();
    reals();
    divergence();
    shuffles_and_votes();
    products(8), products(16);
    barriers();
    functions();
    errors_of_memory();
    errors_of_order();
    return failures != 0;
}
