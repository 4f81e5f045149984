import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Child<Hello> = {
  pid: number
  /** The first line of its output, as JSON. */
  hello: Promise<Hello>
  /** The signal that ended it; null if it ended by itself. */
  gone: Promise<NodeJS.Signals | null>
  kill(): Promise<void>
}

export function startChild<Hello>(script: string, ...args: string[]): Child<Hello> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = createInterface({ input: child.stdout })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const gone = new Promise<NodeJS.Signals | null>(resolve =>
    child.once('close', (_code, signal) => resolve(signal)),
  )
  const hello = new Promise<Hello>((resolve, reject) => {
    lines.once('line', line => resolve(JSON.parse(line) as Hello))
    void gone.then(() => reject(new Error(`${script} ended without output. ${stderr}`)))
  })
  hello.catch(() => {}) // A test that kills the child early does not wait for the greeting.
  return {
    pid: child.pid ?? 0,
    hello,
    gone,
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}
