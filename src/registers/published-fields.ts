import type { Publishes, Stream } from '@baize/registers'
import { type PublishedField, publishedFieldNames, type StreamKind } from '../features/source-facts.ts'

export function kindOf(covers: Stream['covers']): StreamKind {
  if (covers.length > 1) return 'register_and_blocklist'
  return covers[0] ?? 'register'
}

export function publishedFields({ revoked: revocations, ...others }: Publishes): PublishedField[] {
  const publishes = { ...others, revocations }
  return publishedFieldNames.filter(name => publishes[name])
}
