/** What workers report of their renderers of pages. */
export { listRenderers, type Rendering, readRendering, reportRenderer } from './renderers-store.ts'
