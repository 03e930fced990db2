// It needs no local memory.
__kernel void wave_vector_kernel(wave_args a QCD_SLOT_PARAMETERS(wave))
{
    const wave_buffers f = {QCD_SLOT_VALUES(wave)};
    wave_vector_group(a, f, QCD_GROUP_ID(), 0);
}
