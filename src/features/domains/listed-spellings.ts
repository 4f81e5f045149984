import { storableText } from '../../core/storable-text.ts'

/** In a path; a longer one is compared up to here. */
const segmentsMax = 64

type Site = { domain: string; host: string; path: string | null }

/**
 * All `listed_as` values that cover this URL, in lower case: its host and the hosts above it, its path and
 * the paths above it, each in its `www.` and `m.` form and with or without a trailing slash.
 * `a.b.example/x/y` lies below `b.example` and below `a.b.example/x`.
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

/** Some lists percent-encode letters, and some visitors do. */
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
