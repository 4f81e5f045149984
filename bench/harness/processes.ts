import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type Server = { url: string; pid: number; stop(): Promise<void> }

export async function startFlags(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(scripts.start)
    .split(' ')
    .filter(word => word.startsWith('--'))
}

const startWithinMs = 300_000
const askEveryMs = 50
const stopWithinMs = 30_000

export async function startServer(
  file: string,
  port: number,
  environment: Record<string, string>,
  nodeOptions: string[] = [],
): Promise<Server> {
  // The server's log is stored, because it explains a failed request.
  const log = openSync(resolve('var', `server-${port}.log`), 'w')
  const child = spawn(process.execPath, [...nodeOptions, file], {
    stdio: ['ignore', log, 'inherit'],
    env: { ...process.env, ...environment, PORT: String(port) },
  })
  closeSync(log)
  const url = `http://127.0.0.1:${port}`
  await untilAnswering(child, url).catch(error => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    url,
    pid: child.pid as number,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
      await once(child, 'exit')
      clearTimeout(late)
    },
  }
}

async function untilAnswering(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + startWithinMs
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server of ${url} ended with ${child.exitCode}`)
    // Any status but 503 means ready, because a comparison server answers 404.
    const status = await fetch(`${url}/readyz`).then(
      response => response.status,
      () => 503,
    )
    if (status !== 503) return
    if (Date.now() > deadline) throw new Error(`${url} was not ready in time`)
    await wait(askEveryMs)
  }
}

const memoryAskedEveryMs = 50

export async function runMeasured(
  file: string,
  args: readonly string[],
  environment: Record<string, string>,
  { nodeOptions = [], codes = [0] }: { nodeOptions?: readonly string[]; codes?: readonly number[] } = {},
): Promise<{ stdout: string; memoryMb: number }> {
  const child = spawn(process.execPath, [...nodeOptions, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  let stdout = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  let peakMb = 0
  const timer = setInterval(async () => {
    const known = await memoryMb(child.pid as number, 'VmHWM').catch(() => 0)
    peakMb = Math.max(peakMb, known || 0) // An ended process has no VmHWM.
  }, memoryAskedEveryMs)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (!codes.includes(code)) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${stdout}`)
  return { stdout, memoryMb: peakMb }
}

/** Returns how far the memory of the process grew during `work`, at its peak. */
export async function withExtraMemory<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; extraMb: number }> {
  await writeFile(`/proc/${pid}/clear_refs`, '5') // resets VmHWM
  const before = await memoryMb(pid, 'VmRSS')
  const result = await work()
  return { result, extraMb: (await memoryMb(pid, 'VmHWM')) - before }
}

export async function memoryMb(pid: number, figure: 'VmRSS' | 'VmHWM' | 'RssAnon'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}
