/** The store of exports and logos. The prefix of a bucket is empty or ends with a slash. */
export type FilePlace =
  | { kind: 'folder'; path: string }
  | {
      kind: 'bucket'
      bucket: string
      prefix: string
      /** The URL of the bucket's service; null for Amazon's. */
      endpoint: string | null
      region: string | null
    }
