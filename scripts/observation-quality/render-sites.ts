/** Visits labelled sites that a script fills, as a check does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPageReader } from '@baize/site-reader'
import { hasChromium, servePages, testRenderer } from '../../packages/renderer/fixture.ts'
import { renderSite } from '../../src/observation/look/render-site.ts'
import type { LabelledSite } from './labelled-sites.ts'

const siteMsMax = 60_000

/** Returns the sites with the captures of a browser added. Nothing answers except what they serve. */
export async function renderSites(sites: readonly LabelledSite[], folder: string): Promise<LabelledSite[]> {
  if (!hasChromium) throw new Error('Chromium is missing (apt-get install chromium)')
  const rendered: LabelledSite[] = []
  for (const site of sites) {
    const served = [...site.responses, ...(site.served ?? [])].map(
      ({ url, file, status = 200, headers = {} }) => [
        url,
        (_request: unknown, response: import('node:http').ServerResponse) =>
          response
            .writeHead(status, headers)
            .end(file === undefined ? '' : readFileSync(join(folder, site.name, file))),
      ],
    )
    await using pages = await servePages(Object.fromEntries(served))
    await using renderer = testRenderer(pages)
    const { readPage } = openPageReader()
    const root = site.captures.find(({ purpose }) => purpose === 'root')
    if (root === undefined) continue
    const readingOf = ({ url, finalUrl, status, headers, body }: typeof root) =>
      body === null
        ? null
        : readPage({ url: finalUrl ?? url, status: status ?? 200, headers, body }, site.domain)
    const captures = await renderSite(
      root,
      {
        render: request => renderer.render({ ...request, lane: 'check' }),
        choosePages: async page => (await readingOf(page))?.pagesToRead ?? [],
        isShell: async page => (await readingOf(page))?.isShell ?? false,
        now: () => new Date(),
      },
      { endsAtMs: Date.now() + siteMsMax, isOfSite: () => true, mayFetch: async () => true },
    )
    rendered.push({ ...site, captures: [...site.captures, ...captures] })
  }
  return rendered
}
