/** Visits pages in Chromium within limits. It connects nowhere except to the given proxy. */
export { openRenderer, type Renderer, type RendererSettings } from './open-renderer.ts'
export type {
  ProxyForVisit,
  Rendered,
  RendererState,
  RenderReason,
  RenderRequest,
} from './rendering.ts'
