import type { Capture, CaptureFailure } from '@baize/site-reader'

type PageResponse = {
  status: number
  headers: Record<string, string>
  /** The target of a redirect, as an absolute URL; null if the response is no redirect. */
  location: string | null
  body: Uint8Array
  truncated: boolean
  certificate: Capture['certificate']
}

/** The answer to one request. Redirects are not followed. */
export type PageAnswer = PageResponse | { failure: CaptureFailure }

export const redirectStatuses = new Set([301, 302, 303, 307, 308])

type Asked = Pick<Capture, 'kind' | 'purpose' | 'url' | 'redirectChain' | 'seenAt'>

export function captured(asked: Asked, finalUrl: string, response: PageResponse): Capture {
  const { status, headers, body, truncated, certificate } = response
  return { ...asked, finalUrl, status, headers, body, truncated, failure: null, certificate }
}

export function failed(asked: Asked, failure: CaptureFailure): Capture {
  const nothing = { finalUrl: null, status: null, headers: {}, body: null, truncated: false }
  return { ...asked, ...nothing, failure, certificate: null }
}
