/** Decides which elements are visible although their markup says otherwise, and which are not. */
type Attributes = ReadonlyMap<string, string>

export function hides(attributes: Attributes): boolean {
  if (attributes.has('hidden')) return true
  const style = attributes.get('style')
  return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)
}

/** Detects a declarative shadow root, which browsers show without a script. */
export const isShadowRoot = (name: string, attributes: Attributes): boolean =>
  name === 'template' && /^(?:open|closed)$/i.test(attributes.get('shadowrootmode')?.trim() ?? '')

/** Matches ids of React's streaming: `S:1`, after a prefix of the application. */
const streamedId = /^([\w-]{0,40})([SBP]):([0-9a-f]{1,6})$/
const placesMax = 1_000

/**
 * Blocks that a server streams hidden, and that a script at once moves to the place of a template with the
 * same number. They are visible, unless that place is hidden.
 */
export class StreamedBlocks {
  private readonly hiddenPlaces = new Set<string>()

  addPlace(attributes: Attributes, isHidden: boolean): void {
    const place = streamedId.exec(attributes.get('id') ?? '')
    if (place !== null && isHidden && this.hiddenPlaces.size < placesMax)
      this.hiddenPlaces.add(`${place[1]}${place[3]}`)
  }

  has(attributes: Attributes): boolean {
    const block = streamedId.exec(attributes.get('id') ?? '')
    return block !== null && !this.hiddenPlaces.has(`${block[1]}${block[3]}`)
  }
}
