/** Visits a site in a browser, finds its lobby and reads it. */
import { readDomain } from '@baize/names'
import type { Rendered, RenderRequest } from '@baize/renderer'
import { type Capture, openPageReader, readCaptures } from '@baize/site-reader'
import { readLobbyInThread, type SeenLobby } from './in-thread.ts'

export const devices = ['desktop', 'mobile'] as const
export type Device = (typeof devices)[number]
export const viewports: Record<Device, { width: number; height: number }> = {
  desktop: { width: 1_366, height: 900 },
  mobile: { width: 390, height: 844 },
}

/** Why a lobby was not read. `interrupted`: by the service, not by the site. */
export const lobbyReasons = [
  'blocked',
  'login_required',
  'no_lobby_found',
  'timeout',
  'page_too_large',
  'unreachable',
  'redirect_loop',
  'redirects_to_another_domain',
  'not_a_site',
  'interrupted',
] as const
type LobbyReason = (typeof lobbyReasons)[number]

type LobbySight = {
  status: 'completed' | 'partial' | 'failed'
  reason: LobbyReason | null
  finalUrl: string | null
  /** Null if the run failed. */
  lobby: SeenLobby | null
}

type LobbyAsk = { domain: string; url: string | null; device: Device }
type Render = (request: RenderRequest) => Promise<Rendered>

const runMsMax = 60_000
const waitMsMax = 60_000
const bytesMax = 50_000_000
const requestsMax = 2_000
const scrollsMax = 10
const gamesMin = 6
/** A visit of a second page needs this time. */
const visitMsMin = 8_000

export async function seeLobby(ask: LobbyAsk, render: Render, signal: AbortSignal): Promise<LobbySight> {
  const endsAtMs = performance.now() + runMsMax + waitMsMax
  let leftMs = runMsMax
  let first = null as Seen | null
  const links = [ask.url ?? `https://${ask.domain}/`]
  for (let url = links.shift(); url !== undefined && leftMs >= visitMsMin; url = links.shift()) {
    const startedMs = performance.now()
    const seen = await visit(url, { ask, render, signal, leftMs })
    leftMs -= Math.min(performance.now() - startedMs, endsAtMs - startedMs)
    if ((seen.lobby?.games.length ?? 0) >= gamesMin) {
      const status = seen.isCut || seen.lobby?.isCut === true ? 'partial' : 'completed'
      return { status, reason: null, finalUrl: seen.finalUrl, lobby: seen.lobby }
    }
    if (first === null) {
      first = seen
      if (seen.reason !== null) break
      links.push(...(seen.lobby?.links ?? []).slice(0, 2))
    } else if (seen.lobby?.hasSignIn === true) first = { ...first, hasSignIn: true }
  }
  const reason = first?.reason ?? (first?.hasSignIn === true ? 'login_required' : 'no_lobby_found')
  return { status: 'failed', reason, finalUrl: first?.finalUrl ?? null, lobby: null }
}

type Seen = {
  reason: LobbyReason | null
  finalUrl: string | null
  isCut: boolean
  hasSignIn: boolean
  lobby: SeenLobby | null
}
type Visiting = { ask: LobbyAsk; render: Render; signal: AbortSignal; leftMs: number }

async function visit(url: string, { ask, render, signal, leftMs }: Visiting): Promise<Seen> {
  const viewport = { ...viewports[ask.device], isMobile: ask.device === 'mobile' }
  const budget = { ms: Math.floor(leftMs), bytes: bytesMax, requests: requestsMax, waitMs: waitMsMax }
  const seen = await render({
    url,
    lane: 'run',
    viewport,
    scrolls: scrollsMax,
    hasBoxes: true,
    budget,
    signal,
  })
  const { finalUrl, truncated } = seen
  const failed = (reason: LobbyReason): Seen => ({
    reason,
    finalUrl,
    isCut: false,
    hasSignIn: false,
    lobby: null,
  })
  if (seen.dom === null || finalUrl === null) return failed(reasonOf(seen))
  if (siteOf(finalUrl) !== ask.domain) return failed('redirects_to_another_domain')
  const refusal = await refusalOf(seen, ask.domain, signal)
  if (refusal !== null) return failed(refusal)
  const view = {
    url: finalUrl,
    steps: [...seen.steps, seen.dom],
    frames: seen.frames.map(({ dom }) => dom),
    viewportHeight: viewport.height,
    hasSeenEnd: !truncated && seen.steps.length < scrollsMax,
  }
  const lobby = await readLobbyInThread(view, signal)
  if (lobby === null) return failed('page_too_large')
  return { reason: null, finalUrl, isCut: truncated, hasSignIn: lobby.hasSignIn, lobby }
}

/** The renderer names Chromium's network errors in its message. */
function reasonOf({ reason, message }: Rendered): LobbyReason {
  if (reason === 'timeout') return 'timeout'
  if (reason === 'too_large') return 'page_too_large'
  if (reason !== 'unreachable') return 'interrupted'
  if (message?.includes('TOO_MANY_REDIRECTS') === true) return 'redirect_loop'
  return message?.includes('download') === true ? 'not_a_site' : 'unreachable'
}

const siteOf = (url: string): string | null => {
  const read = readDomain(URL.parse(url)?.hostname ?? '')
  return read.ok ? read.domain : null
}

/** Judges what the browser saw as a check does: refusals, challenges, and pages of no site. */
async function refusalOf(seen: Rendered, domain: string, signal: AbortSignal): Promise<LobbyReason | null> {
  const root: Capture = {
    kind: 'http',
    purpose: 'root',
    url: seen.finalUrl as string,
    finalUrl: seen.finalUrl,
    status: seen.status ?? 200,
    headers: seen.headers,
    body: Buffer.from(seen.dom as string),
    truncated: false,
    failure: null,
    redirectChain: [],
    certificate: null,
    seenAt: new Date(),
  }
  const context = { domain, licensed: false, earlierLive: false }
  const { outcome, findings } = await readCaptures([root], context, openPageReader(signal))
  if (outcome.reason === 'blocked') return 'blocked'
  if (outcome.reason === 'server_error') return 'unreachable'
  const presence = findings.find(({ section }) => section === 'web_presence')?.value.status
  return presence === 'parked' ? 'not_a_site' : null
}
