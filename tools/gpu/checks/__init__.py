"""The checks, in the order in which they run: what explains the others first, the slow ones last."""
from gpu.checks import call_cost, driver, memory, programs, share, torch, views

ALL = [
    driver.doctor,
    views.cuda_views,
    views.nvml_views,
    memory.patterns_bare,
    memory.patterns_limited,
    memory.patterns_of_a_second_tenant,
    driver.lookups_are_the_drivers,
    driver.exports_are_the_drivers,
    programs.nvidia_smi,
    programs.two_tenants,
    call_cost.per_call,
    programs.cuda_runtime,
    torch.bare,
    torch.default_allocator,
    torch.expandable_segments,
    torch.cuda_malloc_async,
    torch.cuda_graphs,
    torch.late_kernels,
    *share.ALL,
]


def name_of(check):
    return f"{check.__module__.rsplit('.', 1)[-1]}.{check.__name__}"
