import { runCommand } from '../../src/cli/program.ts'
import type { Ended, Environment } from './program.ts'

/**
 * Removes the limit of listeners. Node adds one for each running thread, and threads of earlier test files
 * may still run.
 */
process.stdout.setMaxListeners(0)
process.stderr.setMaxListeners(0)

/**
 * Runs a command in this process. Use `runProgram` for tests of starting, stopping and killing processes.
 */
export function runCommandHere(args: readonly string[], environment: Environment): Promise<Ended> {
  const ended = last.then(() => captured(args, environment))
  last = ended.catch(() => {})
  return ended
}

/** Commands run one at a time, because stdout and the environment belong to the process. */
let last: Promise<unknown> = Promise.resolve()

async function captured(args: readonly string[], environment: Environment): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const real = {
    env: process.env,
    error: console.error,
    out: process.stdout.write,
    err: process.stderr.write,
  }
  process.env = { ...environment }
  process.stdout.write = writerTo('stdout', said)
  process.stderr.write = writerTo('stderr', said)
  console.error = (...words: unknown[]) => {
    said.stderr += `${words.map(word => (word instanceof Error ? word.stack : String(word))).join(' ')}\n`
  }
  try {
    const code = await runCommand(['node', 'baize', ...args])
    return { code, ...said }
  } finally {
    process.env = real.env
    process.stdout.write = real.out
    process.stderr.write = real.err
    console.error = real.error
  }
}

function writerTo(name: 'stdout' | 'stderr', said: { stdout: string; stderr: string }) {
  return (chunk: string | Uint8Array, ...rest: unknown[]) => {
    said[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    const done = rest.findLast(each => typeof each === 'function')
    if (typeof done === 'function') setImmediate(() => done())
    return true
  }
}
