/** Finds the declarations for a host, its parents, or the beginning of a path below them. */
export class HostIndex<Payload> {
  private readonly entries = new Map<string, { path: string; payload: Payload }[]>()

  /** Adds a declaration such as `pay.example` or `pay.example/js`. */
  add(declared: string, payload: Payload): void {
    const slash = declared.indexOf('/')
    const host = slash < 0 ? declared : declared.slice(0, slash)
    const entries = this.entries.get(host) ?? []
    this.entries.set(host, entries)
    entries.push({ path: slash < 0 ? '' : declared.slice(slash), payload })
  }

  /**
   * Reports matching declarations. A host without a path, such as a policy's, does not match a declaration
   * with one.
   */
  find(host: string, path: string, report: (payload: Payload) => void): void {
    for (let name = host; name !== ''; name = parent(name))
      for (const entry of this.entries.get(name) ?? []) if (isBelow(path, entry.path)) report(entry.payload)
  }
}

function parent(host: string): string {
  const dot = host.indexOf('.')
  return dot < 0 ? '' : host.slice(dot + 1)
}

/** Checks for a path below another: `/js` begins `/js` and `/js/a`, not `/json`. */
const isBelow = (path: string, beginning: string) =>
  path.startsWith(beginning) &&
  (beginning === '' ||
    beginning.endsWith('/') ||
    path.length === beginning.length ||
    path[beginning.length] === '/')
