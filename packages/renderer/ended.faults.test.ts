import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findChromium, startChromium } from './chromium-process.ts'
import { hasChromium, servePages, testRenderer, visitOf } from './fixture.ts'
import { groupMemory, groupUsage } from './group-usage.ts'
import type { RendererSettings } from './open-renderer.ts'
import { folderPrefix } from './orphans.ts'

const answers = {
  'http://plain.example/': '<p>plain</p>',
  'http://endless.example/': '<p>endless</p><script>for (;;) {}</script>',
  'http://endless-later.example/': '<p>endless</p><script>setTimeout(() => { for (;;) {} }, 300)</script>',
  'http://greedy.example/': `<script>const all = []
    for (let i = 0; i < 40; i++) all.push(new Uint8Array(64_000_000).fill(1))</script>`,
  'http://frames.example/': `<p>frames</p><script>
    for (let i = 0; i < 10_000; i++) document.body.append(document.createElement('iframe'))</script>`,
  'http://windows.example/': `<p>windows</p><script>for (let i = 0; i < 200; i++) open('/' + i)</script>`,
  'http://moving.example/': '<p>moving</p><script>location.search = Math.random()</script>',
}

async function open(settings: Partial<RendererSettings> = {}) {
  const pages = await servePages({
    ...answers,
    'http://large.example/': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<p>large')
      const timer = setInterval(() => response.write('x'.repeat(1_000_000)), 5)
      response.on('close', () => clearInterval(timer))
    },
    'http://silent.example/': () => {},
  })
  const renderer = testRenderer(pages, settings)
  onTestFinished(async () => {
    await renderer.close()
    await pages[Symbol.asyncDispose]()
  })
  const see = (host: string, budget = {}) =>
    renderer.render(
      visitOf(`http://${host}.example/`, {
        budget: { ms: 8_000, bytes: 15_000_000, requests: 60, waitMs: 20_000, ...budget },
      }),
    )
  const processes = async () => (await renderer.counts()).processes
  return { pages, renderer, see, processes }
}

/** Waits for what other processes do, at most 60 s. */
async function eventually(check: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await check()) return true
    await pause(100)
  }
  return false
}

/** Returns the priority of a process, or null if it is not of this group. */
async function priorityWithin(group: number, pid: string): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[2]) === group ? Number(fields[16]) : null
}

/** An executable that is not Chromium. */
async function executable(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'not-chromium-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'chromium')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  await chmod(folder, 0o755)
  return path
}

/** Passes all on to Chromium, as the wrappers of distributions do. */
const passesOn = `exec ${findChromium(null)} "$@"`

describe.skipIf(!hasChromium)('a visit that misbehaves', () => {
  test.each([
    ['a script that never ends', 'endless', 'timeout'],
    ['a server that never answers', 'silent', 'timeout'],
    ['a page that needs 2 GB of memory', 'greedy', expect.stringMatching(/too_large|timeout|crashed/)],
  ])('%s ends within its budget and 5 s, and the next visit works', async (_about, host, reason) => {
    const { see } = await open()
    // Starts Chromium, whose time does not count.
    expect(await see('plain')).toMatchObject({ reason: null })
    const startedAt = performance.now()
    expect(await see(host)).toMatchObject({ dom: null, reason })
    expect(performance.now() - startedAt).toBeLessThan(2 * 15_000)
    expect(await see('plain')).toMatchObject({ reason: null, status: 200 })
  })

  test.each([
    ['10,000 frames', 'frames'],
    ['200 windows', 'windows'],
    ['a page that leads to itself without end', 'moving'],
    ['a page without end', 'large'],
  ])('%s are cut, and the next visit works', async (_about, host) => {
    const { see } = await open()
    const seen = await see(host, { bytes: 5_000_000, ms: 15_000 })
    expect(seen.reason === null || seen.reason === 'timeout' || seen.truncated).toBe(true)
    expect((await see('plain')).reason).toBe(null)
  })

  test('a visit beside one that hangs ends as usual', async () => {
    const { see } = await open()
    const [hanging, plain] = await Promise.all([see('endless-later'), see('plain')])
    expect({ hanging: hanging.dom, plain: plain.reason }).toEqual({ hanging: null, plain: null })
  })
})

describe.skipIf(!hasChromium)('processes of Chromium', () => {
  test('no process is left when the renderer is idle', async () => {
    const { see, processes } = await open({ idleMs: 300 })
    await see('plain')
    expect(await processes()).toBeGreaterThan(0)
    expect(await eventually(async () => (await processes()) === 0)).toBe(true)
    expect((await see('plain')).reason).toBe(null)
  })

  test.skipIf(process.platform !== 'linux')('each leaves the processor to answers', async () => {
    const path = findChromium(null) ?? ''
    const chromium = await startChromium({ path, hasSandbox: true, trustedKeys: [] })
    const running = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
    const priorities = await Promise.all(running.map(pid => priorityWithin(chromium.pid, pid)))
    chromium.kill('a test')
    await chromium.ended
    const ofGroup = priorities.filter(priority => priority !== null)
    expect(ofGroup.length).toBeGreaterThan(3)
    expect(new Set(ofGroup)).toEqual(new Set([10]))
  })

  test('a Chromium that is killed during a visit is started again for it', async () => {
    const { pages, see } = await open()
    const seen = see('silent', { ms: 6_000 })
    expect(await eventually(async () => pages.requests.includes('http://silent.example/'))).toBe(true)
    const [folder = ''] = await ownFolders()
    const { chromium } = JSON.parse(await readFile(join(tmpdir(), folder, 'process.json'), 'utf8'))
    process.kill(-chromium.pid, 'SIGKILL')
    expect(await seen).toMatchObject({ dom: null, reason: 'timeout' })
    expect((await see('plain')).reason).toBe(null)
  })

  test('a Chromium that was killed takes no further visit, also before the system has ended it', async () => {
    const chromium = await startChromium({
      path: findChromium(null) ?? '',
      hasSandbox: true,
      trustedKeys: [],
    })
    expect(chromium.isAlive()).toBe(true)
    chromium.kill('a test')
    expect(chromium.isAlive()).toBe(false)
    await chromium.ended
  })

  test('the next service ends the Chromium of a service that was killed', async () => {
    // Chromium ends when its pipe is closed. This program does not.
    const path = await executable(
      `head -c 1 <&3 >/dev/null; printf '{"id":1,"result":{}}\\000' >&4; exec sleep 600`,
    )
    const pid = await killedService({ path, hasSandbox: false })
    expect((await groupUsage(pid)).processes).toBe(1)
    const { renderer, see } = await open()
    await see('plain')
    expect((await renderer.counts()).orphans).toBe(1)
    expect(await eventually(async () => (await groupUsage(pid)).processes === 0)).toBe(true)
  })

  test('the memory of a group counts processes that begin between two readings', async () => {
    const node = `${process.execPath} -e 'setInterval(() => {}, 1_000_000)'`
    const shell = spawn('sh', ['-c', `read line; ${node} & wait`], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const pid = shell.pid ?? 0
    onTestFinished(() => void process.kill(-pid, 'SIGKILL'))
    const memoryMb = groupMemory(pid)
    const [one, other] = await Promise.all([memoryMb(), memoryMb()])
    expect(one).toBeGreaterThan(0)
    expect(other).toBe(one)
    shell.stdin?.write('\n')
    expect(await eventually(async () => (await memoryMb()) > one + 5)).toBe(true)
  })

  test('Chromium ends with its service', async () => {
    const pid = await killedService({ path: '/usr/bin/chromium', hasSandbox: true })
    expect(await eventually(async () => (await groupUsage(pid)).processes === 0)).toBe(true)
  })
})

/** Starts Chromium in a process of its own and kills that. Returns the pid of Chromium. */
async function killedService(settings: { path: string; hasSandbox: boolean }): Promise<number> {
  const module = new URL('./chromium-process.ts', import.meta.url).href
  const script = `
    const { startChromium } = await import(${JSON.stringify(module)})
    const { pid } = await startChromium({ ...${JSON.stringify(settings)}, trustedKeys: [] })
    console.log(pid)`
  const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(service, 'exit')
  const [printed] = await once(service.stdout, 'data')
  service.kill('SIGKILL')
  await ended
  return Number(String(printed))
}

describe('a renderer without Chromium', () => {
  test('a missing Chromium is a reason, not an error', async () => {
    const { renderer, see } = await open({ chromiumPath: '/nowhere/chromium' })
    expect(renderer.state()).toMatchObject({ state: 'unavailable', reason: 'not_found' })
    expect(await see('plain')).toMatchObject({ dom: null, reason: 'unavailable' })
  })

  test('a sandbox that does not work is a reason, not an error', async () => {
    const path = await executable('echo "FATAL: No usable sandbox! Update your kernel" >&2; exit 1')
    const { renderer, see } = await open({ chromiumPath: path })
    expect(await renderer.probe()).toMatchObject({ state: 'unavailable', reason: 'no_sandbox' })
    expect(await see('plain')).toMatchObject({ dom: null, reason: 'unavailable' })
  })

  test('an executable that ends at once is a reason, and leaves no files', async () => {
    const { renderer } = await open({ chromiumPath: await executable('echo broken >&2; exit 3') })
    expect(await renderer.probe()).toMatchObject({
      state: 'unavailable',
      reason: 'does_not_start',
      message: expect.stringMatching(/Chromium ended; broken$/),
    })
    expect(await ownFolders()).toEqual([])
  })

  test('a Chromium that is removed and comes back is found without another renderer', async () => {
    const changes: (string | null)[] = []
    const path = await executable(passesOn)
    const { renderer, see } = await open({
      chromiumPath: path,
      onChange: () => void changes.push(renderer.state().reason),
    })
    await rename(path, `${path}.away`)
    expect(await see('plain')).toMatchObject({ dom: null, reason: 'unavailable' })
    await rename(`${path}.away`, path)
    expect((await see('plain')).reason).toBe(null)
    await rename(path, `${path}.away`)
    expect(await see('plain')).toMatchObject({ dom: null, reason: 'lost' })
    expect(await renderer.probe()).toMatchObject({ state: 'unavailable', reason: 'not_found' })
    await rename(`${path}.away`, path)
    expect((await see('plain')).reason).toBe(null)
    expect(changes).toEqual(['not_found', null, 'not_found', null])
  })

  test('a renderer that is off starts nothing', async () => {
    const { renderer, see } = await open({ isOn: false })
    expect(renderer.state()).toEqual({ state: 'off', reason: 'off', message: null })
    expect((await see('plain')).reason).toBe('unavailable')
  })
})

/** Folders of this process's Chromiums. */
async function ownFolders(): Promise<string[]> {
  const names = (await readdir(tmpdir())).filter(name => name.startsWith(folderPrefix))
  const own = await Promise.all(
    names.map(async name => {
      const record = await readFile(join(tmpdir(), name, 'process.json'), 'utf8').catch(() => '{}')
      return JSON.parse(record).owner?.pid === process.pid ? [name] : []
    }),
  )
  return own.flat()
}
