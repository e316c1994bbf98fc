/** Requests to the server. Every failure is a `Refused` with one line to show. */

const API = new URL("../../api/", import.meta.url);

export class Refused extends Error {}

/** @param {string} path below `api/` @returns {Promise<any>} */
export async function get(path) {
  return (await request(path)).json();
}

/** @param {string} path @returns {Promise<ArrayBuffer>} */
export async function getBytes(path) {
  return (await request(path)).arrayBuffer();
}

/** A file that the server names. @param {string} path @returns {Promise<{blob: Blob, name: string}>} */
export async function getFile(path) {
  const response = await request(path);
  const name = /filename="([^"]*)"/.exec(response.headers.get("Content-Disposition") ?? "");
  return { blob: await response.blob(), name: name?.[1] ?? "tour" };
}

/** @param {string} path @param {object} body @returns {Promise<any>} */
export async function post(path, body = {}) {
  const headers = { "Content-Type": "application/json" };
  return (await request(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** @param {string} path */
export async function remove(path) {
  await request(path, { method: "DELETE" });
}

/** @param {File} file @param {number} limit bytes @returns {Promise<{file: string, name: string, bytes: number}>} */
export async function upload(file, limit) {
  if (file.size > limit) {
    throw new Refused(`${file.name}: ${megabytes(file.size)} is more than the ${megabytes(limit)} that the view takes`);
  }
  const headers = { "Content-Type": "application/octet-stream" };
  const path = `files?name=${encodeURIComponent(file.name)}`;
  return (await request(path, { method: "POST", headers, body: file })).json();
}

async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(new URL(path, API), { cache: "no-store", ...options });
  } catch {
    throw new Refused("the server does not answer: is warptour view still running?");
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new Refused(answer.error ?? `the server answered ${response.status} to ${path.split("?")[0]}`);
}

function megabytes(bytes) {
  return `${Math.round(bytes / 1048576).toLocaleString("en")} MiB`;
}
