import { storableText } from '@baize/names'

/** The most segments of a path that are compared; later segments are ignored. */
const segmentsMax = 64

type Site = { domain: string; host: string; path: string | null }

/**
 * Returns all `listed_as` values that cover this URL, in lower case. These are its host and path and those
 * above them, each with `www.` and `m.`, and with and without a trailing slash. For example, `b.example`
 * and `a.b.example/x` cover `a.b.example/x/y`.
 */
export function listedSpellings({ domain, host, path }: Site): string[] {
  const hosts = hostsAbove(host, domain)
  const paths = [...new Set([path ?? '', decoded(path ?? '')])].flatMap(pathsAbove)
  const own = formsOf(hosts[0] ?? domain)
  return [...hosts.flatMap(formsOf), ...own.flatMap(each => paths.map(above => each + above))].map(each =>
    storableText(each.toLowerCase()),
  )
}

function hostsAbove(host: string, domain: string): string[] {
  const bare = host.length > domain.length ? host.replace(/^(?:www|m)\./, '') : host
  const labels = bare.slice(0, -domain.length - 1).split('.')
  if (bare.length <= domain.length) return [domain]
  return [...labels.map((_, index) => `${labels.slice(index).join('.')}.${domain}`), domain]
}

const formsOf = (host: string): string[] => [host, `www.${host}`, `m.${host}`]

/** Decodes percent-encoded letters, because some lists and some visitors encode them. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function pathsAbove(path: string): string[] {
  const [beforeQuery = '', query = ''] = path.split(/\?(.*)/s)
  const segments = beforeQuery.split('/').filter(segment => segment !== '')
  const paths = segments
    .slice(0, segmentsMax)
    .map((_, index) => `/${segments.slice(0, index + 1).join('/')}`)
    .flatMap(each => [each, `${each}/`])
  const parameters = query.split('&').slice(0, segmentsMax)
  const queries = parameters.map((_, index) => `${beforeQuery}?${parameters.slice(0, index + 1).join('&')}`)
  return query === '' ? paths : [...paths, ...queries]
}
