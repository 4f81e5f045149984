import type { Context } from '../operation.ts'

/** Below it stand the images of the demo world: whoever asks for an image has no key that tells which world is meant. */
export const demoImages = 'demo'

/** Where the images of this world's subjects are addressed. */
export function worldImageUrl({ world, imageUrl }: Pick<Context, 'world' | 'imageUrl'>): string {
  return world.name === 'demo' ? `${imageUrl}/${demoImages}` : imageUrl
}
