QCD_SITE_OPERATION(fields, axpy, flops_a_site<48>)
