import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findChromium } from './chromium-process.ts'
import { hasChromium, servePages, testRenderer, visitOf } from './fixture.ts'
import { oldestChromium } from './try-out.ts'

/** Opens a renderer with this executable in the place of Chromium, and visits a page. */
async function visitWith(script: string) {
  const folder = await mkdtemp(join(tmpdir(), 'other-chromium-'))
  const path = join(folder, 'chromium')
  await writeFile(path, script)
  await chmod(path, 0o755)
  await chmod(folder, 0o755)
  const pages = await servePages({ 'http://plain.example/': '<p>plain</p>' })
  const renderer = testRenderer(pages, { chromiumPath: path })
  onTestFinished(async () => {
    await renderer.close()
    await pages[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
  const seen = await renderer.render(visitOf('http://plain.example/'))
  return { seen, state: renderer.state(), requests: pages.requests }
}

/** A wrapper that starts Chromium without a switch, as a distribution or a policy may. */
const withoutSwitch = (name: string) => `#!/bin/sh
for each; do shift; case $each in ${name}=*) ;; *) set -- "$@" "$each" ;; esac; done
exec ${findChromium(null)} "$@"
`

/**
 * Stands between the renderer and Chromium, and answers one command itself. An answer with `error` is that
 * of a Chromium which does not know the command.
 */
const answering = (method: string, answer: object) => `#!${process.execPath}
const { spawn } = require('node:child_process')
const { createReadStream, writeSync } = require('node:fs')
const chromium = spawn(${JSON.stringify(findChromium(null))}, process.argv.slice(2), {
  stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
})
let text = ''
createReadStream('', { fd: 3 }).on('data', piece => {
  const messages = (text + piece).split('\0')
  text = messages.pop()
  for (const message of messages) {
    const { id, method, sessionId } = JSON.parse(message)
    if (method !== ${JSON.stringify(method)}) chromium.stdio[3].write(message + '\0')
    else writeSync(4, JSON.stringify({ id, sessionId, ...${JSON.stringify(answer)} }) + '\0')
  }
})
chromium.stdio[4].on('data', piece => void writeSync(4, piece))
`

describe.skipIf(!hasChromium)('a Chromium that is tried out', () => {
  test.each([
    ['--proxy-server', 'TCP'],
    ['--proxy-bypass-list', 'TCP'],
    ['--host-resolver-rules', 'TCP'],
    ['--webrtc-ip-handling-policy', 'UDP'],
  ])('renders nothing where %s has no effect', async (name, way) => {
    const { seen, state, requests } = await visitWith(withoutSwitch(name))
    expect(seen).toMatchObject({ dom: null, reason: 'unavailable' })
    expect(state).toMatchObject({ state: 'unavailable', reason: 'not_safe' })
    expect(state.message).toMatch(new RegExp(`^Chromium [\\d.]+ leaves past its proxy \\(${way}\\)`))
    expect(requests).toEqual([])
  })

  test('renders nothing if it is too old, and says which version is needed', async () => {
    const older = `${oldestChromium - 1}.0.6099.224`
    const product = `HeadlessChrome/${older}`
    const { seen, state, requests } = await visitWith(
      answering('Browser.getVersion', { result: { product, userAgent: product } }),
    )
    expect(seen).toMatchObject({ dom: null, reason: 'unavailable' })
    expect(state).toEqual({
      state: 'unavailable',
      reason: 'too_old',
      message: `Chromium ${oldestChromium} or later is needed, and this is Chromium ${older}`,
    })
    expect(requests).toEqual([])
  })

  test.each(['Fetch.enable', 'Target.createBrowserContext', 'Page.createIsolatedWorld'])(
    'renders nothing if it does not know %s',
    async method => {
      const error = { code: -32_601, message: `'${method}' wasn't found` }
      const { seen, state, requests } = await visitWith(answering(method, { error }))
      expect(seen).toMatchObject({ dom: null, reason: 'unavailable' })
      expect(state.reason).toBe('too_old')
      expect(state.message).toMatch(/^Chromium \d+ or later is needed, and this is Chromium \d/)
      expect(state.message).toContain(`'${method}' wasn't found`)
      expect(requests).toEqual([])
    },
  )

  test('the guide names the oldest version', async () => {
    const guide = new URL('../../docs/operating/rendering.md', import.meta.url)
    expect(await readFile(guide, 'utf8')).toContain(`version ${oldestChromium} or later`)
  })
})
