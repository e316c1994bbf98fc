const session = await (await fetch("api/session")).json();
document.getElementById("app").textContent = JSON.stringify(session, null, 1);
