import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A first start makes a database, and a busy machine takes its time over it. */
const startDeadlineMs = 30_000
const pollMs = 10

export type Environment = Record<string, string>
export type Ended = { code: number | null; stdout: string; stderr: string }

/** An executable of `src/main` in a process of its own, as operators run it. */
export type Program = {
  pid: number
  /** What it printed so far. */
  stdout(): string
  stderr(): string
  signal(name: NodeJS.Signals): void
  /** Settles when it has ended and said its last. */
  ended: Promise<Ended>
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>
}

/** Nothing of the developer's shell reaches it but what a process needs: a DATABASE_URL of theirs is not for tests. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot']

export function startProgram(
  script: 'start' | 'serve' | 'work' | 'cli',
  args: readonly string[],
  environment: Environment,
): Program {
  const main = (file: string) => new URL(`../../src/main/${file}`, import.meta.url)
  const kept = inherited.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  const child = spawn(
    process.execPath,
    ['--import', main('compile-cache.js').href, fileURLToPath(main(`${script}.ts`)), ...args],
    {
      env: { ...Object.fromEntries(kept), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', text => {
      said[stream] += text
    })
  }
  const ended = new Promise<Ended>(settle => child.once('close', code => settle({ code, ...said })))
  return {
    pid: child.pid ?? 0,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    signal: name => void child.kill(name),
    ended,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Runs a program to its end. */
export function runProgram(
  script: 'start' | 'serve' | 'work' | 'cli',
  args: readonly string[],
  environment: Environment,
): Promise<Ended> {
  return startProgram(script, args, environment).ended
}

export type Instance = Program & { url: string; port: number }

/** A service that answers; on a port of its own unless the environment names one. */
export async function startInstance(script: 'start' | 'serve', environment: Environment): Promise<Instance> {
  const port = Number(environment.PORT ?? (await freePort()))
  const program = startProgram(script, [], { THROTTLE_PER_MINUTE: '0', ...environment, PORT: String(port) })
  const url = `http://127.0.0.1:${port}`
  let hasEnded = false
  void program.ended.then(() => {
    hasEnded = true
  })
  const deadline = Date.now() + startDeadlineMs
  while (!(await isReady(url))) {
    if (hasEnded || Date.now() > deadline) {
      await program.kill()
      throw new Error(`${script} did not come up. ${program.stdout()}${program.stderr()}`)
    }
    await pause(pollMs)
  }
  return { ...program, url, port }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`)
    await answer.text()
    return answer.ok
  } catch {
    return false // not listening yet
  }
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(settle => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address() as { port: number }
  await new Promise(settle => server.close(settle))
  return port
}
