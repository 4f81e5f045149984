import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

export type Server = { url: string; pid: number; stop(): Promise<void> }

export async function startFlags(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
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
  const child = spawn(process.execPath, [...nodeOptions, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment, PORT: String(port) },
  })
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
    try {
      await fetch(`${url}/healthz`)
      return
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${url} did not answer in time`, { cause: error })
      await wait(askEveryMs)
    }
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
  let memoryMb = 0
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    memoryMb = Math.max(memoryMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, memoryAskedEveryMs)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (!codes.includes(code)) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${stdout}`)
  return { stdout, memoryMb }
}

/** Of VmHWM. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
}

export async function memoryMb(pid: number, figure: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}
