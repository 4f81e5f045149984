import { type Stream, streams } from '@baize/registers'
import { officialAnswersOf, officialSample } from '@baize/registers/test/answers/official-answers'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { hasChromium } from '../../../packages/renderer/fixture.ts'
import { startOfficialSites } from '../../../test/official-sites/start-official-sites.ts'
import { readSettings } from '../../config/settings.ts'
import { asRun, openPageRenderer } from '../../instance/open-page-renderer.ts'
import { openTestWorld, type TestWorld } from '../fixture.ts'
import { fetchRegister } from './fetch-register.ts'

const drawn = streams.filter(({ official }) =>
  official.files.some(({ resolve }) => resolve.by === 'rendered'),
)

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

type Drawing = { draws?: boolean; hasNext?: boolean }

/** The official page is empty until its script fetches the sample's pages. */
function shellOf(pages: readonly string[], { draws = true, hasNext = true }: Drawing): string {
  return `<!doctype html><title>Register</title><div id="list"></div><script>
    const pages = ${JSON.stringify(pages)}
    async function show(number) {
      const text = await (await fetch(pages[number])).text()
      const page = new DOMParser().parseFromString(text, 'text/html')
      list.replaceChildren(...page.body.childNodes)
      if (pages.length === 1 || !${hasNext}) return
      const next = document.createElement('button')
      next.ariaLabel = 'Next page'
      next.disabled = number + 1 === pages.length
      next.onclick = () => show(number + 1)
      list.append(next)
    }
    if (${draws}) setTimeout(() => show(0), 200)</script>`
}

async function fetchDrawn(stream: Stream, drawing: Drawing = {}, settings: Record<string, string> = {}) {
  const [file] = stream.official.files
  const { url = '' } = file ?? {}
  const samples = officialAnswersOf(stream.key)
  const paths = samples.map((_, index) => `/drawn/${index}.html`)
  const type = 'text/html; charset=utf-8'
  const sites = await startOfficialSites([
    { url, type, body: () => Buffer.from(shellOf(paths, drawing)) },
    ...samples.map(({ body }, index) => ({ url: new URL(paths[index] ?? '', url).href, type, body })),
  ])
  onTestFinished(() => sites.close())
  const read = readSettings({ ...sites.environment, ...settings })
  const renderer = openPageRenderer(read)
  onTestFinished(() => renderer.close())
  const now = new Date('2026-11-20T06:00:00Z')
  return fetchRegister(testWorld.world, stream, { now, network: read.network, render: asRun(renderer) })
}

test.skipIf(!hasChromium).each(drawn.map(stream => [stream.key, stream] as const))(
  'the list of %s, which a script draws, has the rows of its sample',
  async (_key, stream) => {
    const readings = await Array.fromAsync(stream.read(officialSample(stream)))
    const rows = readings.filter(({ record }) => record !== 'notice' && record !== 'reject').length
    const report = await fetchDrawn(stream)
    expect(report).toMatchObject({ fetch: 'fetched', rows })
    expect(rows).toBeGreaterThan(60)
  },
)

const of = (key: string) => drawn.find(stream => stream.key === key) as Stream

test.skipIf(!hasChromium)('a list that is never drawn is refused', async () => {
  expect(await fetchDrawn(of('mga.licensees'), { draws: false })).toMatchObject({
    status: 'refused',
    fetch: 'broken',
  })
})

test.skipIf(!hasChromium)('a list of several pages without a way to the second one is refused', async () => {
  const report = await fetchDrawn(of('denmark.operators'), { hasNext: false })
  expect(report).toMatchObject({ status: 'refused', fetch: 'broken' })
})

test('a list that a script draws is refused without Chromium, and says what to install', async () => {
  const report = await fetchDrawn(of('mga.licensees'), {}, { CHROMIUM_PATH: '/nowhere/chromium' })
  expect(report).toMatchObject({ status: 'refused', try_again: false })
  expect(report.reasons.join()).toContain('install Chromium')
})
