import { totalmem } from 'node:os'

const megabyte = 1024 * 1024

/** The share of the machine's memory that PostgreSQL keeps for itself; Node and the file cache want the rest. */
const sharedBuffersShare = 1 / 16
const sharedBuffersMinMb = 64
const sharedBuffersMaxMb = 1024

/** Settings for a machine of two cores that also runs the API: short queries, many of them, beside bulk loads. */
export function serverSettings(memoryBytes: number = totalmem()): Record<string, string> {
  const memoryMb = Math.floor(memoryBytes / megabyte)
  const sharedBuffersMb = Math.floor(memoryMb * sharedBuffersShare)
  return {
    max_connections: '100',
    shared_buffers: `${Math.min(sharedBuffersMaxMb, Math.max(sharedBuffersMinMb, sharedBuffersMb))}MB`,
    effective_cache_size: `${Math.floor(memoryMb / 2)}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    // Compiling a plan costs more than these queries take.
    jit: 'off',
    // One query on both cores makes every other one wait; and a container's 64 MB of /dev/shm end parallel joins.
    max_parallel_workers_per_gather: '0',
    // Solid-state disks: a page out of order costs what a page in order does.
    random_page_cost: '1.1',
    // A charge must be durable before its answer leaves.
    synchronous_commit: 'on',
    // Nobody replicates over a private socket, and without the records for it bulk loads write less.
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
 * A statement takes some hundred kilobytes of memory and gives them back at its end. The C library then gives them back to the
 * system, and the next statement meets each page anew: up to a third of PostgreSQL's time for a page of a hundred rows, where the
 * memory happens to lie so. Kept instead, up to this size a connection. Other C libraries than glibc ignore it.
 */
export const serverEnvironment: Record<string, string> = {
  MALLOC_TRIM_THRESHOLD_: String(4 * megabyte),
  MALLOC_MMAP_THRESHOLD_: String(2 * megabyte),
  MALLOC_TOP_PAD_: String(megabyte / 8),
}
