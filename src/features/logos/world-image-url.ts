import type { Context } from '../operation.ts'

/** Path segment of demo images: an image request has no key that names the world. */
export const demoImages = 'demo'

export function worldImageUrl({ world, imageUrl }: Pick<Context, 'world' | 'imageUrl'>): string {
  return world.name === 'demo' ? `${imageUrl}/${demoImages}` : imageUrl
}
