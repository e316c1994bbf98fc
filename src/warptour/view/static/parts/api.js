/** Requests to the server. Every failure is a `Refused` with one line to show. */

export class Refused extends Error {}

/** @param {string} path below `api/` @returns {Promise<any>} */
export async function get(path) {
  return (await request(path)).json();
}

/** @param {string} path @returns {Promise<ArrayBuffer>} */
export async function getBytes(path) {
  return (await request(path)).arrayBuffer();
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

/** Address of something the server lets download. */
export function address(path) {
  return `api/${path}`;
}

async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(address(path), { cache: "no-store", ...options });
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
