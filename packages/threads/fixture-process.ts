/** The body of the processes in watched-process.faults.test.ts and fixture-parent.ts. */
import { readFileSync } from 'node:fs'
import { serveTasks } from './process-body.ts'
import type { SentFile } from './watched-process.ts'

serveTasks(async function* (task: string, files: SentFile[]): AsyncGenerator<string, void> {
  if (task === 'pid') yield String(process.pid)
  if (task === 'system limits') yield readFileSync('/proc/self/limits', 'utf8')
  if (task === 'waits') await new Promise(() => {})
  if (task === 'secret') yield String(process.env.SECRET)
  if (task === 'fills the heap') for (const all: number[][] = []; ; ) all.push(new Array(100_000).fill(0.5))
  if (task === 'fills memory outside of the heap')
    for (const all: Buffer[] = []; ; ) {
      all.push(Buffer.alloc(4_000_000, 1))
      await new Promise(setImmediate)
    }
  if (task === 'is endless') for (;;);
  if (task === 'exits') process.exit(7)
  if (task === 'throws') throw new RangeError('no such row')
  if (task.startsWith('counts to ')) for (let row = 1; row <= Number(task.slice(10)); row++) yield String(row)
  for (const { name, open } of files) {
    let bytes = 0
    for await (const piece of open()) {
      bytes += piece.byteLength
      if (task === 'reads a beginning') break
    }
    yield `${name}: ${bytes}`
  }
})
