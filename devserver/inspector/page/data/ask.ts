import { useEffect, useState } from 'preact/hooks'
import type { Api, Reply } from './api.ts'

/** Asks for something whenever the path or one of `when` changes; the last answer stays until the next is there. */
export function useAsked<Body>(api: Api, path: string, when: readonly unknown[]): Reply<Body> | undefined {
  const [reply, setReply] = useState<Reply<Body>>()
  useEffect(() => {
    const stop = new AbortController()
    void api.get<Body>(path, stop.signal).then((answer) => {
      if (!stop.signal.aborted) setReply(answer)
    })
    return () => stop.abort()
  }, [api, path, ...when])
  return reply
}
