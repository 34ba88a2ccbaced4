/* Fibers: a stack each, and a switch between a fiber and the host. The switch saves what a function
 * call keeps, 10 ns; ucontext does the same with a system call where the processor is another one.
 * AddressSanitizer is told of every switch. */
#include "machine.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

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
static const size_t stack_bytes = 128 << 10;
#endif

static void *host_stack_pointer;

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

static void prepare_stack(fiber &which, void (*entry)())
{
    void **top = reinterpret_cast<void **>(which.stack + stack_bytes) - SAVED_WORDS;
    std::memset(top, 0, SAVED_WORDS * sizeof *top);
    top[RETURN_WORD] = reinterpret_cast<void *>(entry);
    which.stack_pointer = top;
}

static void switch_in(fiber &which)
{
    armilla_emulation_switch(&host_stack_pointer, which.stack_pointer);
}

static void switch_out(fiber &which)
{
    armilla_emulation_switch(&which.stack_pointer, host_stack_pointer);
}
#else
static ucontext_t host_context;

static void prepare_stack(fiber &which, void (*entry)())
{
    if (!which.context) which.context = new ucontext_t;
    ucontext_t *context = static_cast<ucontext_t *>(which.context);
    getcontext(context);
    context->uc_stack.ss_sp = which.stack;
    context->uc_stack.ss_size = stack_bytes;
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
}

static void switch_in(fiber &which)
{
    swapcontext(&host_context, static_cast<ucontext_t *>(which.context));
}

static void switch_out(fiber &which)
{
    swapcontext(static_cast<ucontext_t *>(which.context), &host_context);
}
#endif

static char *new_stack()
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *memory = mmap(nullptr, page + stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("no memory for the stack of a thread");
    mprotect(memory, page, PROT_NONE);
    return static_cast<char *>(memory) + page;
}

void prepare(fiber &which, void (*entry)())
{
    if (!which.stack) which.stack = new_stack();
    prepare_stack(which, entry);
    which.fake_stack = nullptr;
}

#ifdef EMULATION_ASAN
static const void *host_bottom;
static size_t host_bytes;

void enter(fiber &which)
{
    void *fake;
    __sanitizer_start_switch_fiber(&fake, which.stack, stack_bytes);
    switch_in(which);
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
}

void arrive(fiber &which)
{
    __sanitizer_finish_switch_fiber(which.fake_stack, &host_bottom, &host_bytes);
}

void leave(fiber &which, bool ended)
{
    __sanitizer_start_switch_fiber(ended ? nullptr : &which.fake_stack, host_bottom, host_bytes);
    switch_out(which);
    arrive(which);
}
#else
void enter(fiber &which)
{
    switch_in(which);
}

void arrive(fiber &)
{
}

void leave(fiber &which, bool)
{
    switch_out(which);
}
#endif
} // namespace emulation
