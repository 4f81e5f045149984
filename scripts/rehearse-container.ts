// Runs the steps of the Dockerfile without a container engine, starts the service on a blank database,
// sends requests, and checks a site: `npm run rehearse:container`.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, matchesGlob, relative, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startEmbedded } from '@baize/embedded-postgres'
import { freePort } from '../test/harness/program.ts'
import { loadScenarios } from '../test/small-internet/scenario.ts'
import { startSmallInternet } from '../test/small-internet/start-small-internet.ts'

const installWithinMs = 300_000
const serveWithinMs = 180_000
const checkWithinMs = 120_000
const stopWithinMs = 30_000
const askEveryMs = 200

type Instruction = { word: string; rest: string }

const root = resolve(import.meta.dirname, '..')
const instructions = instructionsOf(await readFile(join(root, 'Dockerfile'), 'utf8'))
const ignore = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n')
const leftOut = ignore.filter(line => line.includes('/**/'))
/**
 * The files that reach a container engine. It ignores all others, so copying one of them would fail there.
 */
const sent = ignore.filter(line => line.startsWith('!')).map(line => line.slice(1))
const directory = await mkdtemp(join(tmpdir(), 'baize-container-'))
const app = join(directory, 'app')
await mkdir(app)

const database = await startEmbedded({ dataDirectory: join(directory, 'database') })
try {
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? directory,
  }
  for (const { word, rest } of instructions) {
    if (word === 'ENV') Object.assign(environment, environmentOf(rest))
    if (word === 'COPY') await copy(rest)
    // Only npm runs, because other commands change the system outside of /app.
    if (word === 'RUN' && rest.startsWith('npm ')) await install(rest, environment)
  }
  const { host, user, port, database: name } = database
  const served = {
    ...environment,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    LOG_LEVEL: 'warn',
  }
  await serveAndAsk(served)
  console.log('The image serves, is healthy, checks a site with its rules, and stops at a signal.')
} finally {
  await database.stop()
  await rm(directory, { recursive: true, force: true })
}

function instructionsOf(dockerfile: string): Instruction[] {
  return dockerfile
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter(line => /^[A-Z]+ /.test(line))
    .map(line => {
      const [word = '', ...rest] = line.trim().split(/\s+/)
      return { word, rest: rest.join(' ') }
    })
}

function commandOf(word: string): string[] {
  const instruction = instructions.find(each => each.word === word)?.rest ?? ''
  const [command, ...args] = JSON.parse(instruction.slice(instruction.indexOf('['))) as string[]
  if (command !== 'node') throw new Error(`${word} runs ${command}, and only node is supported`)
  return args
}

function environmentOf(pairs: string): Record<string, string> {
  return Object.fromEntries(pairs.split(' ').map(pair => pair.split('=')))
}

async function copy(places: string): Promise<void> {
  const from = places.split(' ')
  const to = from.pop() ?? ''
  for (const place of from) {
    if (!sent.some(each => matchesGlob(place.replace(/^\.\//, ''), `{${each},${each}/**}`)))
      throw new Error(`The Dockerfile copies ${place}, which .dockerignore leaves out.`)
    await cp(join(root, place), join(app, to.endsWith('/') ? join(to, basename(place)) : to), {
      recursive: true,
      filter: path => !leftOut.some(pattern => matchesGlob(relative(root, path), pattern)),
    })
  }
}

async function install(line: string, environment: Record<string, string>): Promise<void> {
  // The cache of this machine stays, so the command that cleans it is removed.
  const command = line.replace(/\s*&& npm cache clean --force/, '')
  console.log(command)
  // The environment of this machine has the proxy and the certificates for the registry.
  const env = { ...process.env, ...environment }
  await promisify(execFile)('/bin/sh', ['-c', command], { cwd: app, env, timeout: installWithinMs })
}

async function serveAndAsk(environment: Record<string, string>): Promise<void> {
  const server = spawn(process.execPath, commandOf('CMD'), { cwd: app, env: environment, stdio: 'inherit' })
  const ended = once(server, 'exit')
  const url = `http://127.0.0.1:${environment.PORT}`
  try {
    await untilReady(server, url)
    const asked = [
      '/v1/domains/resolve?domain=luckyotter.example',
      '/images/luckyotter.example',
      '/docs/errors/invalid_domain',
      '/docs/quickstart.md',
      '/llms.txt',
    ]
    for (const path of asked) {
      const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': 'client_demo' } })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    }
    if (!(await isHealthy(environment))) throw new Error('HEALTHCHECK fails beside a service that is ready')
    await checkSite(environment)
    server.kill('SIGTERM')
    const stopped = await Promise.race([ended, pause(stopWithinMs, ['late'], { ref: false })])
    if (stopped[0] !== 0) throw new Error(`after SIGTERM it ended with ${stopped[0]}`)
    if (await isHealthy(environment)) throw new Error('HEALTHCHECK passes after the service has stopped')
  } finally {
    server.kill('SIGKILL')
  }
}

function isHealthy(environment: Record<string, string>): Promise<boolean> {
  return promisify(execFile)(process.execPath, commandOf('HEALTHCHECK'), { env: environment }).then(
    () => true,
    () => false,
  )
}

/**
 * Checks a site of the small internet with a command in the image, whose rules and lists are data files.
 */
async function checkSite(environment: Record<string, string>): Promise<void> {
  const scenario = loadScenarios('live.yaml').filter(({ domain }) => domain === 'luckyotter.example')
  const internet = await startSmallInternet(scenario)
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['src/main/cli.ts', 'check', 'luckyotter.example', '--json'],
      { cwd: app, env: { ...environment, ...internet.environment }, timeout: checkWithinMs },
    )
    const { outcome, findings } = JSON.parse(stdout) as { outcome: string; findings: { section: string }[] }
    const sections = new Set(findings.map(({ section }) => section))
    const missing = ['registration', 'launch', 'payment_methods', 'supplier_brands', 'legal_claims'].filter(
      section => !sections.has(section),
    )
    if (outcome !== 'completed' || missing.length > 0)
      throw new Error(`the check of a site is ${outcome}, without ${missing.join(', ') || 'gaps'}`)
  } finally {
    await internet.close()
  }
}

async function untilReady(server: ReturnType<typeof spawn>, url: string): Promise<void> {
  const deadline = Date.now() + serveWithinMs
  while (
    !(await fetch(`${url}/readyz`).then(
      answer => answer.ok,
      () => false,
    ))
  ) {
    if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode} before it was ready`)
    if (Date.now() > deadline) throw new Error(`it is not ready after ${serveWithinMs} ms`)
    await pause(askEveryMs)
  }
}
