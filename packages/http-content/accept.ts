// Reads a client's `Accept` header (RFC 9110, section 12.5.1).

/** Returns whether `Accept` ranks HTML above JSON, as that of every browser does. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('text/html')) return false
  const ranges = accept.split(',').map(readRange)
  return weightOf('text/html', ranges) > weightOf('application/json', ranges)
}

/**
 * Returns whether `Accept` names Markdown, and ranks it as high as HTML. Agents do so, and browsers do not.
 */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('text/markdown')) return false
  const ranges = accept.split(',').map(readRange)
  const weight = weightOf('text/markdown', ranges)
  return weight > 0 && weight >= weightOf('text/html', ranges)
}

type Range = { type: string; weight: number }

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const weight = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 }
}

/** Returns the weight of the most specific range that matches. */
function weightOf(type: string, ranges: readonly Range[]): number {
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = ranges.find(range => range.type === wanted)
    if (found !== undefined) return found.weight
  }
  return 0
}
