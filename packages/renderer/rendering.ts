export type RenderRequest = {
  url: string
  /** A run leaves one place free for checks. */
  lane: 'check' | 'run'
  /** A desktop screen by default. */
  viewport?: { width: number; height: number; isMobile: boolean }
  /** A CSS selector to wait for, as far as the budget allows. */
  waitFor?: string
  /** Scrolls to the end and back before the page is read, because parts may be filled in view only. */
  seesEnd?: boolean
  /** The number of screens to scroll down. */
  scrolls?: number
  /** Follows the pages of a list: clicks what `next` selects, until it is missing or disabled. */
  pages?: { next: string; max: number }
  /** Returns all elements, visible or not, as a browser would save them. */
  isWhole?: boolean
  /** Adds `data-box="x y width height"` in CSS pixels to each element, from the page's upper left corner. */
  hasBoxes?: boolean
  budget: {
    /** The limit from the start of the visit. */
    ms: number
    bytes: number
    /** Requests that are sent. Pictures, fonts and media are answered at once, and do not count. */
    requests: number
    /** The limit of waiting for a place before the visit. */
    waitMs: number
  }
  /** Refuses single requests, as robots.txt does. */
  mayRequest?(url: string): Promise<boolean>
  signal?: AbortSignal
}

/**
 * Why there is no DOM. `unavailable`: no Chromium starts. `lost`: none starts any more. `busy`: no place
 * became free in time. `crashed`: Chromium ended during the visit, and again in a second one. `too_large`:
 * the page needs too much memory.
 */
export type RenderReason =
  | 'unavailable'
  | 'lost'
  | 'busy'
  | 'timeout'
  | 'unreachable'
  | 'too_large'
  | 'crashed'

export type Rendered = {
  finalUrl: string | null
  status: number | null
  /** The response headers of the page, with names in lower case. */
  headers: Record<string, string>
  /** All URLs of the main frame in order, also those that a script or a meta element led to. */
  chain: string[]
  /** What is visible, as HTML with open shadow roots and frames of the same origin; null with a reason. */
  dom: string | null
  /** The DOM before each scroll or page, because lists drop rows that scroll away. */
  steps: string[]
  /** Visible frames of other origins. */
  frames: { url: string; dom: string }[]
  consoleErrors: string[]
  /** Requests by host and type. Those that were answered at once have 0 bytes. */
  requests: { host: string; type: string; count: number; bytes: number }[]
  /** Is true if a limit cut the visit. */
  truncated: boolean
  reason: RenderReason | null
  /** Explains the reason to staff. */
  message: string | null
}

export type RendererState = {
  state: 'on' | 'off' | 'unavailable'
  /**
   * Null when on. `not_found`: no Chromium. `no_sandbox`: its sandbox does not work here. `not_safe`: pages
   * would leave past their proxy.
   */
  reason: null | 'off' | 'not_found' | 'no_sandbox' | 'does_not_start' | 'too_old' | 'not_safe'
  /** Shows staff more, such as what Chromium printed. */
  message: string | null
}

/** The only way out of one visit: an HTTP proxy on 127.0.0.1 that judges each address. */
export type ProxyForVisit = AsyncDisposable & {
  port: number
  /** Is true when the bytes of the visit are used up. */
  isUsedUp(): boolean
  /** Says why a host was not reached; null if it was. */
  failureOf(host: string): string | null
}

export const nothingRendered = (reason: RenderReason, message: string): Rendered => ({
  finalUrl: null,
  status: null,
  headers: {},
  chain: [],
  dom: null,
  steps: [],
  frames: [],
  consoleErrors: [],
  requests: [],
  truncated: false,
  reason,
  message,
})
