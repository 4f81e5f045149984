/**
 * The browsers by words of their user agents. The first match counts, because browsers claim to be others.
 */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const
const systems = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/**
 * Returns a name such as `Firefox on Windows`; null if unknown. No other part of the user agent is stored.
 */
export function browserName(userAgent: string | undefined): string | null {
  const nameIn = (known: readonly (readonly [RegExp, string])[]) =>
    known.find(([words]) => words.test(userAgent ?? ''))?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (browser === undefined && system === undefined) return null
  return system === undefined ? (browser ?? null) : `${browser ?? 'Another browser'} on ${system}`
}
