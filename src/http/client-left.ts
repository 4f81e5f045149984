/** Of the usage record and the metrics of a request whose client did not wait for the response. */
export const clientLeftStatus = 499

export class ClientLeft extends Error {
  override readonly name = 'ClientLeft'
}
