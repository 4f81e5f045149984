import { Readable } from 'node:stream'
import {
  type FetchedFile,
  type NetworkSettings,
  OutboundError,
  spool,
  type Turns,
  waitForHost,
} from '@baize/outbound'
import type { Resolve } from '@baize/registers'
import type { Rendered, RenderRequest } from '@baize/renderer'

/** Visits a page in Chromium. */
export type RenderPage = (request: Omit<RenderRequest, 'lane'>) => Promise<Rendered>

type Rendering = {
  turns: Turns
  network: NetworkSettings
  signal?: AbortSignal
  /** Undefined where pages are not rendered. */
  render?: RenderPage | undefined
}

const pagesMax = 200
const budget = { ms: 120_000, bytes: 50 * 1024 * 1024, requests: 500, waitMs: 120_000 }

/**
 * Returns the pages of a list that a script draws, each as the HTML that a browser would save. Throws an
 * OutboundError unless all of them were seen whole.
 */
export async function renderFiles(
  url: string,
  { wait_for: waitFor, pages }: Extract<Resolve, { by: 'rendered' }>,
  { render, turns, network, signal }: Rendering,
): Promise<FetchedFile[]> {
  if (render === undefined) throw new OutboundError('unreachable', notRendered, { isTransient: false })
  await waitForHost(turns, url, { network, signal })
  const further = pages === undefined ? {} : { pages: { next: pages.next, max: pagesMax } }
  const stop = signal === undefined ? {} : { signal }
  const seen = await render({ url, waitFor, isWhole: true, budget, ...further, ...stop })
  if (signal?.aborted) throw new OutboundError('stopped', `visiting ${url} was stopped`)
  if (seen.reason === 'unavailable')
    throw new OutboundError('unreachable', notRendered, { isTransient: false })
  if (seen.dom === null)
    throw new OutboundError(
      seen.reason === 'timeout' ? 'timeout' : 'unreachable',
      `${url} was not rendered: ${seen.message}`,
    )
  if (seen.status !== null && seen.status >= 400)
    throw new OutboundError('bad_status', `${url} answered ${seen.status}`)
  if (seen.truncated)
    throw new OutboundError('broken', `${url} did not show ${waitFor}, or was cut by a limit of its visit`)
  if (pages !== undefined && seen.steps.length === 0)
    throw new OutboundError('broken', `${url} has no further page, and its list has several: ${pages.next}`)
  const of = { status: 'fetched' as const, etag: null, lastModified: null, mediaType: 'text/html' }
  const finalUrl = seen.finalUrl ?? url
  const files: FetchedFile[] = []
  for (const page of [...seen.steps, seen.dom])
    files.push({ ...of, finalUrl, file: await spool(Readable.from([Buffer.from(page)])) })
  return files
}

const notRendered =
  'a script draws this register, and pages are not rendered here: ' +
  'install Chromium (docs/operating/rendering.md)'
