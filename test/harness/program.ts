import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Limits a first start, which creates a database and is slow on a busy machine. */
const startDeadlineMs = 120_000
const pollMs = 10

export type Environment = Record<string, string>
export type Ended = { code: number | null; stdout: string; stderr: string }

export type Program = {
  pid: number
  stdout(): string
  stderr(): string
  signal(name: NodeJS.Signals): void
  ended: Promise<Ended>
  kill(): Promise<void>
}

/** The only variables passed on from the developer’s shell. Tests must not use its DATABASE_URL. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot']

/** The working directory, and the checkout with the program. */
export type From = { cwd?: string; release?: URL }

const thisRelease = new URL('../../', import.meta.url)

export function startProgram(
  script: 'start' | 'serve' | 'work' | 'cli',
  args: readonly string[],
  environment: Environment,
  { cwd, release = thisRelease }: From = {},
): Program {
  const main = (file: string) => new URL(`src/main/${file}`, release)
  const environmentOfShell = inherited.flatMap(name =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  )
  const child = spawn(
    process.execPath,
    ['--import', main('compile-cache.js').href, fileURLToPath(main(`${script}.ts`)), ...args],
    {
      env: { ...Object.fromEntries(environmentOfShell), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
    },
  )
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', text => {
      output[stream] += text
    })
  }
  const ended = new Promise<Ended>(resolve => child.once('close', code => resolve({ code, ...output })))
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    signal: name => void child.kill(name),
    ended,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export function runProgram(
  script: 'start' | 'serve' | 'work' | 'cli',
  args: readonly string[],
  environment: Environment,
  from?: From,
): Promise<Ended> {
  return startProgram(script, args, environment, from).ended
}

export type Instance = Program & { url: string; port: number }

/** Starts a service and waits until it is ready, on a free port unless the environment names one. */
export async function startInstance(
  script: 'start' | 'serve',
  environment: Environment,
  from?: From,
): Promise<Instance> {
  const port = Number(environment.PORT ?? (await freePort()))
  const all = { THROTTLE_PER_MINUTE: '0', ...environment, PORT: String(port) }
  const program = startProgram(script, [], all, from)
  const url = `http://127.0.0.1:${port}`
  let hasEnded = false
  void program.ended.then(() => {
    hasEnded = true
  })
  const deadline = Date.now() + startDeadlineMs
  while (!(await isReady(url))) {
    if (hasEnded || Date.now() > deadline) {
      await program.kill()
      throw new Error(`${script} did not become ready. ${program.stdout()}${program.stderr()}`)
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
    return false // The service does not listen yet.
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
