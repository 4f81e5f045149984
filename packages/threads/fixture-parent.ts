/** Runs an endless task in a process, and prints its id. */
import { WatchedProcess } from './watched-process.ts'

const limits = { memoryMbMax: 160, heapMbMax: 64, taskCpuMsMax: 1_000, taskMsMax: 600_000, idleMsMax: 30_000 }
const reader = new WatchedProcess<string, string>(new URL('./fixture-process.ts', import.meta.url), limits)
const [[pid] = []] = await Array.fromAsync(reader.run('pid'))
console.log(pid)
await Array.fromAsync(reader.run(process.argv[2] ?? ''))
