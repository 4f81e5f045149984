import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { dispatchCommand } from '../src/command/run.ts'

/** The source file of the command, which Node 24 runs without a build. */
export const commandSources = fileURLToPath(new URL('../src/command/bin.ts', import.meta.url))

export type Run = { code: number | null; stdout: string; stderr: string }

export type RunOptions = {
  key?: string
  baseUrl?: string
  cwd?: string
  input?: string
  /** The text after which the input is sent. */
  question?: string
  /** The program and its first arguments; the default runs the sources. */
  program?: readonly string[]
}

export type Started = { child: ChildProcess; ended: Promise<Run> }

/**
 * Runs `baize-api` in this process. Only one can run at a time, because output and environment belong to
 * the process.
 */
export function runHere(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const ended = last.then(() => captured(args, options))
  last = ended.catch(() => {})
  return ended
}

let last: Promise<unknown> = Promise.resolve()

async function captured(args: readonly string[], { key = '', baseUrl = '', cwd }: RunOptions): Promise<Run> {
  const said = { stdout: '', stderr: '' }
  const { env } = process
  const directory = process.cwd()
  const spies = (['stdout', 'stderr'] as const).map(stream =>
    vi.spyOn(process[stream], 'write').mockImplementation((text, ...rest) => {
      said[stream] += text
      const done = rest.at(-1)
      if (typeof done === 'function') done()
      return true
    }),
  )
  process.env = { PATH: env.PATH, BAIZE_API_KEY: key, BAIZE_BASE_URL: baseUrl }
  if (cwd !== undefined) process.chdir(cwd)
  try {
    return { code: await dispatchCommand(args), ...said }
  } finally {
    process.chdir(directory)
    process.env = env
    for (const spy of spies) spy.mockRestore()
  }
}

/** Starts `baize-api` as a separate process. */
export function startCommand(args: readonly string[], options: RunOptions = {}): Started {
  const { key = '', baseUrl = '', cwd, input = '', question = '' } = options
  const { program = [process.execPath, commandSources] } = options
  const [file = '', ...first] = program
  const child = spawn(file, [...first, ...args], {
    env: { PATH: process.env.PATH, BAIZE_API_KEY: key, BAIZE_BASE_URL: baseUrl },
    ...(cwd !== undefined && { cwd }),
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', text => {
      said[stream] += text
      if (question !== '' && said[stream].includes(question)) child.stdin.end(input)
    })
  }
  child.stdin.on('error', () => {})
  if (question === '') child.stdin.end(input)
  const ended = new Promise<Run>(resolve => child.once('close', code => resolve({ code, ...said })))
  return { child, ended }
}

export const runCommand = (args: readonly string[], options?: RunOptions): Promise<Run> =>
  startCommand(args, options).ended
