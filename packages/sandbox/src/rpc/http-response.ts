/** An HTTP response: status and JSON body; `contentType` where it is not plain JSON. */
export type HttpResponse = { readonly status: number; readonly body: unknown; readonly contentType?: string }
