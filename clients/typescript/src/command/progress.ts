import { count, credits } from './command.ts'

const barLength = 30

/** A line of stderr that is drawn over itself; nothing without a terminal. */
export function drawProgress(done: number, total: number, charged: number): void {
  if (!process.stderr.isTTY) return
  const filled = Math.floor((done / total) * barLength)
  const bar = '#'.repeat(filled).padEnd(barLength, '.')
  const end = done === total ? '\n' : ''
  process.stderr.write(`\r[${bar}] ${count(done)} of ${count(total)}, ${credits(charged)} charged${end}`)
}
