/* Stands for NVML: one GPU, at 0000:07:00.0, which uses 1500 mJ between two looks. */
#include <string.h>

enum { success = 0, not_found = 6 };

int nvmlInit_v2(void) { return success; }
int nvmlShutdown(void) { return success; }

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device)
{
    static int gpu;
    if (strcmp(bus, "0000:07:00.0") != 0) return not_found;
    *device = &gpu;
    return success;
}

int nvmlDeviceGetName(void* device, char* name, unsigned length)
{
    (void)device;
    strncpy(name, "A GPU", length);
    return success;
}

int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules)
{
    static unsigned long long used = 123456;
    (void)device;
    *millijoules = used += 1500;
    return success;
}
