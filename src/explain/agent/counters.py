# SPDX-License-Identifier: MIT
"""What the frameworks say of their own memory."""
def counter_lines():
    """What the frameworks say of their memory on a device: (framework, device, in use, reserved or -1)."""
    for ask in (torch_counters, tensorflow_counters, jax_counters):
        try:
            yield from ask()
        except Exception:
            continue


def torch_counters():
    cuda = sys.modules.get("torch.cuda")
    if cuda is None or not cuda.is_initialized():
        return
    for i in range(cuda.device_count()):
        yield ("pool", "PyTorch", "cuda:%d" % i, cuda.memory_allocated(i), cuda.memory_reserved(i))


def tensorflow_counters():
    context = module_value("tensorflow.python.eager.context", "_context")
    config = sys.modules.get("tensorflow.python.framework.config")
    if context is None or config is None or not context._initialized:
        return
    for i, _ in enumerate(config.list_logical_devices("GPU")):
        info = config.get_memory_info("GPU:%d" % i)
        yield ("pool", "TensorFlow", "gpu:%d" % i, info["current"], -1)


def jax_counters():
    jax = sys.modules.get("jax")
    if jax is None or not module_value("jax._src.xla_bridge", "_backends"):
        return
    for device in jax.local_devices():
        stats = device.memory_stats() if device.platform == "gpu" else None
        if stats:
            yield ("pool", "JAX", "gpu:%d" % device.id, stats["bytes_in_use"],
                   stats.get("pool_bytes", stats.get("bytes_reserved", -1)) or -1)
