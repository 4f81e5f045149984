const cookiesMax = 100

/**
 * Reads names of cookies. `, ` or line breaks separate cookies, and an `expires` date contains a comma,
 * too.
 */
export function cookieNames(header: string | undefined): string[] {
  const names = (header ?? '').slice(0, 20_000).matchAll(/(?:^|,|\n)\s*([^\s=;,]{1,100})=/g)
  return [...new Set(names.map(([, name]) => name as string))].slice(0, cookiesMax)
}
