/** The switches of Chromium. */

/**
 * Lead every connection through the proxy. Chromium's default one leads nowhere: a visit has its own. A test
 * takes each away and sees a page reach loopback.
 */
export const oneWayOut = [
  // No server listens at port 9, so what Chromium asks outside of a visit is refused.
  '--proxy-server=http://127.0.0.1:9',
  // Chromium would connect to loopback without the proxy.
  '--proxy-bypass-list=<-loopback>',
  // WebRTC would send UDP to any address.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const

/** Chromium looks up no name, not even to prefetch it. The proxy has an address. */
const noNames = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'

/** Chromium asks nothing for itself: no update, no account, no list, no report. */
const silent = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--no-service-autorun',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--metrics-recording-only',
  '--allow-pre-commit-input',
  `--disable-features=${[
    'AutofillServerCommunication',
    'CertificateTransparencyComponentUpdater',
    'DialMediaRouteProvider',
    'InterestFeedContentSuggestions',
    'MediaRouter',
    'OptimizationHints',
    'Translate',
    'WebRtcHideLocalIpsWithMdns',
  ].join(',')}`,
]

/** A page has no permission, no window of its own, and little memory. */
const unprivileged = [
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-file-system',
  '--disable-notifications',
  '--js-flags=--max-old-space-size=256',
]

const machine = [
  '--headless=new',
  '--remote-debugging-pipe',
  // A container has 64 MB of shared memory.
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--hide-scrollbars',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
]

export type SwitchSettings = {
  profile: string
  hasSandbox: boolean
  /** SHA-256 of further authorities' public keys, in base64. */
  trustedKeys: readonly string[]
  /** Is for the test that takes a switch away. */
  without?: readonly string[]
}

export function switchesOf({ profile, hasSandbox, trustedKeys, without = [] }: SwitchSettings): string[] {
  return [
    ...machine,
    ...silent,
    ...unprivileged,
    ...oneWayOut.filter(each => !without.includes(each)),
    noNames,
    `--user-data-dir=${profile}`,
    ...(hasSandbox ? [] : ['--no-sandbox']),
    ...(trustedKeys.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${trustedKeys.join(',')}`]),
    'about:blank',
  ]
}
