/** What workers report of their renderers of pages. */
export { listRenderers, readRendering, reportRenderer } from './renderers-store.ts'
