import { totalmem } from 'node:os'

const megabyte = 1024 * 1024

const sharedBuffersShare = 1 / 16
const sharedBuffersMinMb = 64
const sharedBuffersMaxMb = 1024

/** The settings fit a machine of two cores that also runs the API: many short queries beside bulk loads. */
export function serverSettings(memoryBytes: number = totalmem()): Record<string, string> {
  const memoryMb = Math.floor(memoryBytes / megabyte)
  const sharedBuffersMb = Math.floor(memoryMb * sharedBuffersShare)
  return {
    max_connections: '100',
    shared_buffers: `${Math.min(sharedBuffersMaxMb, Math.max(sharedBuffersMinMb, sharedBuffersMb))}MB`,
    effective_cache_size: `${Math.floor(memoryMb / 2)}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    jit: 'off',
    // A parallel query delays all others, and parallel joins exceed a container’s 64 MB of /dev/shm.
    max_parallel_workers_per_gather: '0',
    random_page_cost: '1.1',
    // A charge must be durable before its response is sent.
    synchronous_commit: 'on',
    // A private socket needs no replication, and bulk loads write less WAL without it.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
  }
}

/**
 * Glibc returns freed memory to the system by default. Page faults then take up to a third of PostgreSQL's
 * time for a page of 100 rows. The sizes are per connection. Other C libraries ignore them.
 */
export const serverEnvironment: Record<string, string> = {
  MALLOC_TRIM_THRESHOLD_: String(4 * megabyte),
  MALLOC_MMAP_THRESHOLD_: String(2 * megabyte),
  MALLOC_TOP_PAD_: String(megabyte / 8),
}
