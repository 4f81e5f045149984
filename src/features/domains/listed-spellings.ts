/** In a path; a longer one is compared up to here. */
const segmentsMax = 64

type Site = { domain: string; host: string; path: string | null }

/**
 * What a list may name of a host or URL: the host and those above it, the path and those above it, each with
 * and without `www.` and the last slash. `a.b.example/x/y` lies below `b.example` and below `a.b.example/x`.
 */
export function listedSpellings({ domain, host, path }: Site): string[] {
  const hosts = hostsAbove(host, domain)
  const own = hosts.slice(0, 1)
  return [
    ...hosts.flatMap(withWww),
    ...own.flatMap(withWww).flatMap(each => pathsAbove(path ?? '').map(above => each + above)),
  ]
}

function hostsAbove(host: string, domain: string): string[] {
  const bare = host.startsWith('www.') && host.length > domain.length ? host.slice(4) : host
  const labels = bare.slice(0, -domain.length - 1).split('.')
  if (bare.length <= domain.length) return [domain]
  return [...labels.map((_, index) => `${labels.slice(index).join('.')}.${domain}`), domain]
}

const withWww = (host: string): string[] => [host, `www.${host}`]

function pathsAbove(path: string): string[] {
  const [beforeQuery = ''] = path.split('?', 1)
  const segments = beforeQuery.split('/').filter(segment => segment !== '')
  const paths = segments
    .slice(0, segmentsMax)
    .map((_, index) => `/${segments.slice(0, index + 1).join('/')}`)
    .flatMap(each => [each, `${each}/`])
  return path === beforeQuery ? paths : [...paths, path]
}
