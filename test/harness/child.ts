import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Child<Hello> = {
  pid: number
  /** The first line that it printed, as JSON. */
  hello: Promise<Hello>
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>
}

/** Runs a script of the harness in a process of its own, to be killed in the middle. */
export function startChild<Hello>(script: string, ...args: string[]): Child<Hello> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = createInterface({ input: child.stdout })
  let complaints = ''
  child.stderr.on('data', chunk => {
    complaints += chunk
  })
  const gone = new Promise<void>(settle => child.once('close', () => settle()))
  const hello = new Promise<Hello>((settle, fail) => {
    lines.once('line', line => settle(JSON.parse(line) as Hello))
    void gone.then(() => fail(new Error(`${script} ended before it said anything. ${complaints}`)))
  })
  hello.catch(() => {}) // a test that kills the child early does not wait for it
  return {
    pid: child.pid ?? 0,
    hello,
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}
