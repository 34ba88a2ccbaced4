/* Fibers: a stack each, and a change from one to another, or between one and the host. The change
 * saves what a function call keeps, some nanoseconds; ucontext does the same with a system call
 * where the processor is another one. AddressSanitizer is told of every change. */
#include "machine.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define EMULATION_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMULATION_ASAN 1
#endif
#endif
#ifdef EMULATION_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if !defined(__x86_64__) && !defined(__aarch64__)
#define EMULATION_UCONTEXT 1
#include <ucontext.h>
#endif

namespace emulation
{
#ifdef EMULATION_ASAN
static const size_t stack_bytes = 512 << 10; /* frames have red zones */
#else
static const size_t stack_bytes = 160 << 10;
#endif
/* Stacks begin at pages; their tops are this far apart in their pages, so that not all fibers have
 * the same few lines of the first-level cache. */
static const size_t colour_bytes = 320, colours = 64;

fiber host_side;

#ifndef EMULATION_UCONTEXT
extern "C" void armilla_emulation_switch(void **save, void *load);

#if defined(__x86_64__)
asm(".text\n"
    ".globl armilla_emulation_switch\n"
    ".hidden armilla_emulation_switch\n"
    ".type armilla_emulation_switch, @function\n"
    "armilla_emulation_switch:\n"
    "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n"
    "    pushq %r13\n    pushq %r14\n    pushq %r15\n"
    "    movq %rsp, (%rdi)\n"
    "    movq %rsi, %rsp\n"
    "    popq %r15\n    popq %r14\n    popq %r13\n"
    "    popq %r12\n    popq %rbx\n    popq %rbp\n"
    "    ret\n"
    ".size armilla_emulation_switch, .-armilla_emulation_switch\n");

enum { SAVED_WORDS = 8, RETURN_WORD = 6 }; /* six registers, return address, its own return: 0 */
#else
asm(".text\n"
    ".globl armilla_emulation_switch\n"
    ".hidden armilla_emulation_switch\n"
    ".type armilla_emulation_switch, %function\n"
    "armilla_emulation_switch:\n"
    "    sub sp, sp, #160\n"
    "    stp x19, x20, [sp, #0]\n    stp x21, x22, [sp, #16]\n"
    "    stp x23, x24, [sp, #32]\n    stp x25, x26, [sp, #48]\n"
    "    stp x27, x28, [sp, #64]\n    stp x29, x30, [sp, #80]\n"
    "    stp d8, d9, [sp, #96]\n    stp d10, d11, [sp, #112]\n"
    "    stp d12, d13, [sp, #128]\n    stp d14, d15, [sp, #144]\n"
    "    mov x9, sp\n    str x9, [x0]\n    mov sp, x1\n"
    "    ldp x19, x20, [sp, #0]\n    ldp x21, x22, [sp, #16]\n"
    "    ldp x23, x24, [sp, #32]\n    ldp x25, x26, [sp, #48]\n"
    "    ldp x27, x28, [sp, #64]\n    ldp x29, x30, [sp, #80]\n"
    "    ldp d8, d9, [sp, #96]\n    ldp d10, d11, [sp, #112]\n"
    "    ldp d12, d13, [sp, #128]\n    ldp d14, d15, [sp, #144]\n"
    "    add sp, sp, #160\n"
    "    ret\n"
    ".size armilla_emulation_switch, .-armilla_emulation_switch\n");

enum { SAVED_WORDS = 20, RETURN_WORD = 11 }; /* x19 to x30, d8 to d15 */
#endif

static void prepare_stack(fiber &which, void (*entry)(), size_t unused)
{
    void **top = reinterpret_cast<void **>(which.stack + stack_bytes - unused) - SAVED_WORDS;
    std::memset(top, 0, SAVED_WORDS * sizeof *top);
    top[RETURN_WORD] = reinterpret_cast<void *>(entry);
    which.stack_pointer = top;
}

static void change_stacks(fiber &from, fiber &to)
{
    armilla_emulation_switch(&from.stack_pointer, to.stack_pointer);
}
#else
static ucontext_t *context_of(fiber &which)
{
    if (!which.context) which.context = new ucontext_t;
    return static_cast<ucontext_t *>(which.context);
}

static void prepare_stack(fiber &which, void (*entry)(), size_t)
{
    ucontext_t *context = context_of(which);
    check_call(getcontext(context) == 0, "getcontext");
    context->uc_stack.ss_sp = which.stack;
    context->uc_stack.ss_size = stack_bytes;
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
}

static void change_stacks(fiber &from, fiber &to)
{
    check_call(swapcontext(context_of(from), context_of(to)) == 0, "swapcontext");
}
#endif

static char *new_stack()
{
    char *memory = new_pages(page_size() + stack_bytes, PROT_READ | PROT_WRITE, MAP_NORESERVE);
    if (!memory) fail("no memory for the stack of a thread");
    protect_pages(memory, page_size(), PROT_NONE);
    return memory + page_size();
}

void prepare(fiber &which, int number, void (*entry)())
{
    which.stack = new_stack();
    prepare_stack(which, entry, (size_t)number % colours * colour_bytes);
}

#ifdef EMULATION_ASAN
static fiber *came_from;

/* The first fiber of a block comes from the host, whose stack nobody else knows. */
void arrive(fiber &which)
{
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(which.fake_stack, &bottom, &bytes);
    if (came_from == &host_side) host_side.bottom = bottom, host_side.bytes = bytes;
}

void change(fiber &from, fiber &to)
{
    came_from = &from;
    const bool is_host = &to == &host_side;
    __sanitizer_start_switch_fiber(&from.fake_stack, is_host ? host_side.bottom : to.stack,
                                   is_host ? host_side.bytes : stack_bytes);
    change_stacks(from, to);
    arrive(from);
}
#else
void arrive(fiber &)
{
}

void change(fiber &from, fiber &to)
{
    change_stacks(from, to);
}
#endif
} // namespace emulation
